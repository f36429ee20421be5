// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/step_length_chart.h"

#include <QAreaSeries>
#include <QChart>
#include <QLegendMarker>
#include <QLineSeries>
#include <QScatterSeries>
#include <QToolTip>
#include <QValueAxis>
#include <algorithm>

#include "core/analysis/steps/run_steps.h"
#include "core/analysis/steps/step_spread.h"
#include "ui/charts/chart_look.h"
#include "ui/charts/dense_series.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/slice_colors.h"

namespace rankscope::ui {
namespace {

QScatterSeries* points(const QString& name, const QColor& fill, const QColor& rim) {
    auto* made = new QScatterSeries;
    made->setName(name);
    made->setMarkerSize(9);
    made->setColor(fill);
    made->setBorderColor(rim);
    return made;
}

constexpr std::size_t kQuarters = 4;  // with fewer steps there is no half between two quartiles

}  // namespace

StepLengthChart::Axes StepLengthChart::axesWith(QValueAxis* across) const {
    const auto longest = std::ranges::max(run().facts.steps, {}, &RunStep::duration_ns).duration_ns;
    const TimeUnit unit = timeUnitFor(longest);
    const Axes axes = {across, new QValueAxis, unit.ns};
    dressValueAxis(*axes.time, static_cast<double>(longest) * 1.05 / unit.ns);
    dressAxis(*axes.time, theme(), unit.name);
    return axes;
}

void StepLengthChart::addLevels(const Axes& axes) {
    const StepSpread spread = stepSpread(run().facts);
    if (spread.steps == 0) {
        return;
    }
    const auto level = [&](DurationNs ns) {
        auto* line = new QLineSeries;
        line->append(axes.across->min(), static_cast<double>(ns) / axes.unit_ns);
        line->append(axes.across->max(), static_cast<double>(ns) / axes.unit_ns);
        return line;
    };
    if (spread.steps >= kQuarters) {
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
        add(band, axes.across, axes.time);
        // A colour that is translucent over the grid would hardly be visible in the legend.
        chart().legend()->markers(band).front()->setBrush(QColor::fromRgb(mix(theme().surface.rgb(), tint.rgb(), 96)));
    }
    const auto line = [&](DurationNs ns, const QString& name, const QColor& color, Qt::PenStyle style) {
        QLineSeries* made = level(ns);
        made->setName(name);
        made->setPen(QPen(color, 1.2, style));
        add(made, axes.across, axes.time);
    };
    line(spread.median_ns, tr("median %1").arg(duration(spread.median_ns)), theme().text_dim, Qt::DashLine);
    if (run().facts.basis == StepBasis::Mean) {
        line(run().facts.mean_step_ns, tr("mean %1, used for prices").arg(duration(run().facts.mean_step_ns)),
             theme().text, Qt::SolidLine);
    }
}

void StepLengthChart::addSteps(const Axes& axes, const std::vector<std::size_t>& order,
                               const std::vector<double>& across, const StepAt& step_at) {
    const std::vector<RunStep>& steps = run().facts.steps;
    const bool each = steps.size() <= kMostPoints;
    QList<QPointF> all;
    auto* steady = points(tr("step"), theme().accent, theme().surface);
    auto* left_out = points(tr("not priced: outlier or incomplete"), theme().surface, theme().text);
    left_out->setMarkerShape(QScatterSeries::MarkerShapeRectangle);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const RunStep& step = steps[order[i]];
        all.append({across[i], static_cast<double>(step.duration_ns) / axes.unit_ns});
        if (!isSteady(step)) {
            left_out->append(all.back());
        } else if (each) {
            steady->append(all.back());
        }
    }
    if (each) {
        auto* line = new QLineSeries;
        line->append(all);
        line->setPen(QPen(theme().text_dim, 1));
        add(line, axes.across, axes.time);
        chart().legend()->markers(line).front()->setVisible(false);
        answer(*line, step_at);
    }
    for (QScatterSeries* series : {steady, left_out}) {
        add(series, axes.across, axes.time);
        chart().legend()->markers(series).front()->setVisible(!series->points().isEmpty());
        answer(*series, step_at);
    }
    if (!each) {
        drawDense(*steady, all, step_at);
    }
    offer({.count = order.size(),
           .words = [this, order](std::size_t i) { return words(run().facts.steps[order[i]]); },
           .value =
               [this, order, across, ns = axes.unit_ns](std::size_t i) {
                   return QPointF(across[i], static_cast<double>(run().facts.steps[order[i]].duration_ns) / ns);
               },
           .activate = [this, order](std::size_t i) { activate(&run().facts.steps[order[i]]); },
           .bring_in_sight = {}});
}

void StepLengthChart::drawDense(QAbstractSeries& on, const QList<QPointF>& all, const StepAt& step_at) {
    const auto* line = new DenseSeries(chart(), on, {{DenseSeries::Look::Line, all, theme().accent}});
    connect(line, &DenseSeries::clicked, this, [this, step_at](double across) { activate(step_at(across)); });
    connect(line, &DenseSeries::hovered, this, [this, step_at](double across) { tell(step_at(across)); });
    connect(line, &DenseSeries::left, this, [this] { tell(nullptr); });
}

void StepLengthChart::answer(const QXYSeries& series, const StepAt& step_at) {
    connect(&series, &QXYSeries::clicked, this, [this, step_at](const QPointF& at) { activate(step_at(at.x())); });
    connect(&series, &QXYSeries::hovered, this,
            [this, step_at](const QPointF& at, bool over) { tell(over ? step_at(at.x()) : nullptr); });
}

void StepLengthChart::tell(const RunStep* step) {
    step != nullptr ? RunChart::tell(words(*step)) : QToolTip::hideText();
}

QString StepLengthChart::words(const RunStep& step) {
    const QString length = tr("Step %1: %2").arg(step.index).arg(duration(step.duration_ns));
    if (!step.complete) {
        return tr("%1\nnot priced: incomplete").arg(length);
    }
    return step.outlier ? tr("%1\nnot priced: %2").arg(length, coreText(step.outlier_reason)) : length;
}

void StepLengthChart::activate(const RunStep* step) {
    const auto own = step != nullptr ? step->of(step->critical_rank) : std::nullopt;
    if (own) {
        activateStep(step->critical_rank, *own);
    }
}

}  // namespace rankscope::ui
