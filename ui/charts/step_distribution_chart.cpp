// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/step_length_chart.h"

#include <QValueAxis>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/charts/chart_look.h"

namespace rankscope::ui {
namespace {

constexpr double kWhole = 100;  // percent

/// From no step to all of them.
QValueAxis* shareAxis(const Theme& theme) {
    constexpr int kQuarters = 5;  // ticks
    auto* axis = new QValueAxis;
    axis->setRange(0, kWhole);
    axis->setTickCount(kQuarters);
    axis->setLabelFormat(QStringLiteral("%d %%"));
    dressAxis(*axis, theme, StepDistributionChart::tr("share of steps up to this"));
    axis->setGridLineVisible(false);
    return axis;
}

}  // namespace

StepDistributionChart::StepDistributionChart(const Theme& theme, QWidget* parent)
    : StepLengthChart(tr("Spread of step times"), theme, parent) {}

QString StepDistributionChart::fill() {
    const std::vector<RunStep>& steps = run().facts.steps;
    if (steps.empty()) {
        return tr("No steps were found. Call prof.step() after each step.");
    }
    std::vector<std::size_t> order(steps.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&steps](std::size_t step) { return steps[step].duration_ns; });
    // In the middle of its own share, so that a single step is in the middle.
    const double share = kWhole / static_cast<double>(steps.size());
    std::vector<double> across(steps.size());
    for (std::size_t i = 0; i < across.size(); ++i) {
        across[i] = (static_cast<double>(i) + 0.5) * share;
    }
    const Axes axes = axesWith(shareAxis(theme()));
    addLevels(axes);
    addSteps(axes, order, across, [&steps, order, share](double at) -> const RunStep* {
        const auto place = static_cast<std::ptrdiff_t>(std::floor(at / share));
        return &steps[order[static_cast<std::size_t>(
            std::clamp<std::ptrdiff_t>(place, 0, static_cast<std::ptrdiff_t>(order.size()) - 1))]];
    });
    return {};
}

}  // namespace rankscope::ui
