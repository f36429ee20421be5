// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/step_length_chart.h"

#include <QValueAxis>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/charts/chart_look.h"

namespace rankscope::ui {

StepTimeChart::StepTimeChart(const Theme& theme, QWidget* parent) : StepLengthChart(tr("Step time"), theme, parent) {}

QString StepTimeChart::fill() {
    const std::vector<RunStep>& steps = run().facts.steps;
    if (steps.empty()) {
        return tr("No steps were found. Call prof.step() after each step.");
    }
    const Axes axes = axesWith(makeNumberAxis(static_cast<double>(steps.front().index),
                                              static_cast<double>(steps.back().index), tr("step %d"), theme()));
    addLevels(axes);
    std::vector<std::size_t> order(steps.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<double> across(steps.size());
    std::ranges::transform(steps, across.begin(), [](const RunStep& step) { return static_cast<double>(step.index); });
    addSteps(axes, order, across, [&steps](double at) -> const RunStep* {
        const auto step = std::ranges::find(steps, std::llround(at), &RunStep::index);
        return step != steps.end() ? &*step : nullptr;
    });
    return {};
}

}  // namespace rankscope::ui
