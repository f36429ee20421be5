// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/lateness_chart.h"

#include <QBarSeries>
#include <QBarSet>
#include <QChart>
#include <QScatterSeries>
#include <QToolTip>
#include <QValueAxis>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/steps/step_spread.h"
#include "ui/charts/chart_look.h"
#include "ui/panels/words.h"

namespace rankscope::ui {
LatenessChart::LatenessChart(const Theme& theme, QWidget* parent) : RunChart(tr("Lateness by rank"), theme, parent) {}

QString LatenessChart::fill() {
    const StragglerFacts& facts = run().facts.stragglers;
    if (facts.segments.empty()) {
        return tr("It takes two ranks with collectives in common to tell who is late.");
    }
    const std::vector<DurationNs> medians = medianLateness(run().facts);
    DurationNs longest = 1'000;
    for (const RankLateness& rank : facts.ranks) {
        for (const SegmentTime& step : rank.steps) {
            longest = std::max(longest, step.late_ns);
        }
    }
    const TimeUnit unit = timeUnitFor(longest);
    QValueAxis* ranks = makeNumberAxis(0, static_cast<double>(facts.ranks.size()) - 1, tr("rank %d"), theme());
    auto* time = new QValueAxis;
    dressValueAxis(*time, static_cast<double>(longest) / unit.ns, true);
    dressAxis(*time, theme(), unit.name);

    auto* bars = new QBarSet(tr("median over steady-state steps"));
    for (const DurationNs median : medians) {
        bars->append(static_cast<double>(median) / unit.ns);
    }
    QColor fill = theme().straggler;
    fill.setAlpha(110);
    bars->setColor(fill);
    bars->setPen(Qt::NoPen);
    auto* series = new QBarSeries;
    series->setBarWidth(std::min(0.7, 0.1 * static_cast<double>(facts.ranks.size())));
    series->append(bars);
    add(series, ranks, time);
    answer(*bars, medians);
    QScatterSeries* steps = points(unit.ns);
    add(steps, ranks, time);
    answer(*steps, unit.ns);
    offer({.count = medians.size(),
           .words = [this, medians](std::size_t rank) { return words(RankPosition(rank), medians[rank]); },
           .value =
               [medians, ns = unit.ns](std::size_t rank) {
                   return QPointF(static_cast<double>(rank), static_cast<double>(medians[rank]) / ns);
               },
           .activate = [this](std::size_t rank) { activate(RankPosition(rank), {}); },
           .bring_in_sight = {}});
    return {};
}

QScatterSeries* LatenessChart::points(double unit_ns) const {
    const std::vector<RankLateness>& ranks = run().facts.stragglers.ranks;
    const std::size_t all = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0},
                                            [](std::size_t sum, const auto& rank) { return sum + rank.steps.size(); });
    const bool each = all <= kMostPoints;
    auto* points = new QScatterSeries;
    points->setName(each ? tr("each step") : tr("the latest step of a rank"));
    points->setMarkerSize(7);
    points->setColor(theme().straggler);
    points->setBorderColor(theme().surface);
    for (RankPosition rank{0}; rank < ranks.size(); ++rank) {
        const std::vector<SegmentTime>& steps = ranks[rank].steps;
        const auto latest = std::ranges::max_element(steps, {}, &SegmentTime::late_ns);
        for (auto step = steps.begin(); step != steps.end(); ++step) {
            if (each || step == latest) {
                points->append(static_cast<double>(rank), static_cast<double>(step->late_ns) / unit_ns);
            }
        }
    }
    return points;
}

QString LatenessChart::words(RankPosition rank, DurationNs late) const {
    return tr("%1: %2 later than the first").arg(rankInPlace(run(), rank), duration(late));
}

void LatenessChart::answer(const QBarSet& bars, const std::vector<DurationNs>& medians) {
    connect(&bars, &QBarSet::hovered, this, [this, medians](bool over, int index) {
        over ? tell(words(RankPosition(index), medians[static_cast<std::size_t>(index)])) : QToolTip::hideText();
    });
    connect(&bars, &QBarSet::clicked, this, [this](int index) { activate(RankPosition(index), {}); });
}

void LatenessChart::answer(const QScatterSeries& steps, double unit_ns) {
    const auto late_at = [unit_ns](const QPointF& at) {
        return static_cast<DurationNs>(std::llround(at.y() * unit_ns));
    };
    connect(&steps, &QScatterSeries::hovered, this, [this, late_at](const QPointF& at, bool over) {
        over ? tell(words(RankPosition(std::llround(at.x())), late_at(at))) : QToolTip::hideText();
    });
    connect(&steps, &QScatterSeries::clicked, this,
            [this, late_at](const QPointF& at) { activate(RankPosition(std::llround(at.x())), late_at(at)); });
}

void LatenessChart::activate(RankPosition rank, std::optional<DurationNs> late_ns) {
    const RunFacts& facts = run().facts;
    if (rank >= facts.stragglers.ranks.size()) {
        return;
    }
    const auto& steps = facts.stragglers.ranks[rank].steps;
    const auto wanted = [&](const SegmentTime& step) {
        return late_ns ? -std::abs(step.late_ns - *late_ns) : step.late_ns;  // the nearest, or the latest
    };
    const auto at = std::ranges::max_element(steps, {}, wanted);
    if (at != steps.end()) {
        if (const auto step = facts.steps[at->step].by_rank[rank]) {
            activateStep(rank, *step);
        }
    }
}

}  // namespace rankscope::ui
