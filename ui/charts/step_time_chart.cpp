// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/step_time_chart.h"

#include <QAreaSeries>
#include <QChart>
#include <QLegendMarker>
#include <QLineSeries>
#include <QScatterSeries>
#include <QToolTip>
#include <QValueAxis>
#include <algorithm>
#include <cmath>

#include "core/analysis/steps/run_steps.h"
#include "core/analysis/steps/step_spread.h"
#include "ui/charts/chart_look.h"
#include "ui/panels/words.h"

namespace rankscope::ui {
namespace {

constexpr double kClickable = 3;  // pixels: of a line that stands for its points

QScatterSeries* points(const QString& name, const QColor& fill, const QColor& rim) {
    auto* made = new QScatterSeries;
    made->setName(name);
    made->setMarkerSize(9);
    made->setColor(fill);
    made->setBorderColor(rim);
    return made;
}

}  // namespace

StepTimeChart::StepTimeChart(const Theme& theme, QWidget* parent) : RunChart(tr("Step time"), theme, parent) {}

QString StepTimeChart::fill() {
    const RunFacts& facts = run().facts;
    if (facts.steps.empty()) {
        return tr("No steps were found.");
    }
    const auto longest = std::ranges::max(facts.steps, {}, &RunStep::duration_ns).duration_ns;
    const TimeUnit unit = timeUnitFor(longest);
    const Axes axes = {makeNumberAxis(static_cast<double>(facts.steps.front().index),
                                      static_cast<double>(facts.steps.back().index), tr("step %d"), theme()),
                       new QValueAxis, unit.ns};
    dressValueAxis(*axes.time, static_cast<double>(longest) * 1.05 / unit.ns);
    dressAxis(*axes.time, theme(), unit.name);
    if (const StepSpread spread = stepSpread(facts); spread.steps > 0) {
        addMedian(spread, axes);
    }
    addSteps(axes);
    return {};
}

void StepTimeChart::addMedian(const StepSpread& spread, const Axes& axes) {
    const auto level = [&](DurationNs ns) {
        auto* line = new QLineSeries;
        line->append(axes.steps->min(), static_cast<double>(ns) / axes.unit_ns);
        line->append(axes.steps->max(), static_cast<double>(ns) / axes.unit_ns);
        return line;
    };
    QLineSeries* upper = level(spread.upper_quartile_ns);
    QLineSeries* lower = level(spread.lower_quartile_ns);
    auto* band = new QAreaSeries(upper, lower);
    for (QLineSeries* edge : {upper, lower}) {
        edge->setParent(band);  // an area does not own its edges
    }
    QColor tint = theme().accent;
    tint.setAlpha(48);
    band->setColor(tint);
    band->setPen(Qt::NoPen);
    band->setName(
        tr("middle half: %1 to %2").arg(duration(spread.lower_quartile_ns), duration(spread.upper_quartile_ns)));
    add(band, axes.steps, axes.time);
    QLineSeries* median = level(spread.median_ns);
    median->setName(tr("median %1").arg(duration(spread.median_ns)));
    median->setPen(QPen(theme().accent, 1.5, Qt::DashLine));
    add(median, axes.steps, axes.time);
}

void StepTimeChart::addSteps(const Axes& axes) {
    const bool each = run().facts.steps.size() <= kMostPoints;
    auto* line = new QLineSeries;
    auto* steady = points(tr("step"), theme().accent, theme().surface);
    auto* outliers = points(tr("outlier or incomplete: kept out of the median"), theme().surface, theme().text_dim);
    for (const RunStep& step : run().facts.steps) {
        const QPointF point(static_cast<double>(step.index), static_cast<double>(step.duration_ns) / axes.unit_ns);
        line->append(point);
        if (!isSteady(step)) {
            outliers->append(point);
        } else if (each) {
            steady->append(point);
        }
    }
    line->setPen(each ? QPen(theme().text_dim, 1) : QPen(theme().accent, kClickable));
    add(line, axes.steps, axes.time);
    chart().legend()->markers(line).front()->setVisible(false);
    answer(*line);
    for (QScatterSeries* series : {steady, outliers}) {
        add(series, axes.steps, axes.time);
        chart().legend()->markers(series).front()->setVisible(!series->points().isEmpty());
        answer(*series);
    }
}

void StepTimeChart::answer(const QXYSeries& series) {
    connect(&series, &QXYSeries::clicked, this, [this](const QPointF& at) { activate(at.x()); });
    connect(&series, &QXYSeries::hovered, this, [this](const QPointF& at, bool over) {
        const auto& steps = run().facts.steps;
        const auto step = std::ranges::find(steps, std::llround(at.x()), &RunStep::index);
        if (over && step != steps.end()) {
            tell(tr("Step %1: %2").arg(step->index).arg(duration(step->duration_ns)));
        } else {
            QToolTip::hideText();
        }
    });
}

void StepTimeChart::activate(double index) {
    const auto& steps = run().facts.steps;
    const auto at = std::ranges::find(steps, std::llround(index), &RunStep::index);
    if (at != steps.end() && at->critical_rank < at->by_rank.size()) {
        if (const auto step = at->by_rank[at->critical_rank]) {
            activateStep(at->critical_rank, *step);
        }
    }
}

}  // namespace rankscope::ui
