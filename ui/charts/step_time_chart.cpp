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

#include "core/analysis/run_steps.h"
#include "core/analysis/step_spread.h"
#include "ui/charts/chart_look.h"
#include "ui/panels/words.h"

namespace rankscope::ui {
namespace {

QLineSeries* level(double from, double to, double value) {
    auto* line = new QLineSeries;
    line->append(from, value);
    line->append(to, value);
    return line;
}

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
    const StepSpread spread = stepSpread(facts);
    const auto longest = std::ranges::max(facts.steps, {}, &RunStep::duration_ns).duration_ns;
    const TimeUnit unit = timeUnitFor(longest);
    const auto first = static_cast<double>(facts.steps.front().index) - 0.5;
    const auto last = static_cast<double>(facts.steps.back().index) + 0.5;
    auto* steps = new QValueAxis;
    steps->setRange(first, last);
    steps->setLabelFormat(tr("step %d"));
    steps->setTickType(QValueAxis::TicksDynamic);
    steps->setTickInterval(std::max(1.0, std::ceil((last - first) / 16.0)));
    steps->setTickAnchor(first + 0.5);
    auto* time = new QValueAxis;
    dressValueAxis(*time, static_cast<double>(longest) * 1.05 / unit.ns);
    dressAxis(*steps, theme(), {});
    dressAxis(*time, theme(), unit.name);
    steps->setGridLineVisible(false);

    if (spread.steps > 0) {
        const auto value = [&](DurationNs ns) { return static_cast<double>(ns) / unit.ns; };
        auto* band = new QAreaSeries(level(first, last, value(spread.upper_quartile_ns)),
                                     level(first, last, value(spread.lower_quartile_ns)));
        QColor tint = theme().accent;
        tint.setAlpha(48);
        band->setColor(tint);
        band->setPen(Qt::NoPen);
        band->setName(
            tr("middle half: %1 to %2").arg(duration(spread.lower_quartile_ns), duration(spread.upper_quartile_ns)));
        add(band, steps, time);
        auto* median = level(first, last, value(spread.median_ns));
        median->setName(tr("median %1").arg(duration(spread.median_ns)));
        median->setPen(QPen(theme().accent, 1.5, Qt::DashLine));
        add(median, steps, time);
    }
    auto* line = new QLineSeries;
    auto* ordinary = points(tr("step"), theme().accent, theme().surface);
    auto* outliers = points(tr("outlier or incomplete: kept out of the median"), theme().surface, theme().text_dim);
    for (const RunStep& step : facts.steps) {
        const QPointF point(static_cast<double>(step.index), static_cast<double>(step.duration_ns) / unit.ns);
        line->append(point);
        (isOrdinary(step) ? ordinary : outliers)->append(point);
    }
    line->setPen(QPen(theme().text_dim, 1));
    add(line, steps, time);
    chart().legend()->markers(line).front()->setVisible(false);
    for (QScatterSeries* series : {ordinary, outliers}) {
        add(series, steps, time);
        chart().legend()->markers(series).front()->setVisible(!series->points().isEmpty());
        connect(series, &QScatterSeries::clicked, this, [this](const QPointF& at) { activate(at.x()); });
        connect(series, &QScatterSeries::hovered, this, [this, unit](const QPointF& at, bool over) {
            if (over) {
                const auto ns = static_cast<DurationNs>(std::llround(at.y() * unit.ns));
                tell(tr("Step %1: %2").arg(std::llround(at.x())).arg(duration(ns)));
            } else {
                QToolTip::hideText();
            }
        });
    }
    return {};
}

void StepTimeChart::activate(double index) {
    const auto& steps = run().facts.steps;
    const auto at = std::ranges::find(steps, std::llround(index), &RunStep::index);
    if (at != steps.end() && at->pacing_rank < at->by_rank.size()) {
        if (const auto step = at->by_rank[at->pacing_rank]) {
            activateStep(at->pacing_rank, *step);
        }
    }
}

}  // namespace rankscope::ui
