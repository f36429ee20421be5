// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/lateness_chart.h"

#include <QAreaSeries>
#include <QBarSeries>
#include <QBarSet>
#include <QChart>
#include <QLineSeries>
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
namespace {

/// The step in which a rank was latest; the end where it has none.
std::vector<SegmentTime>::const_iterator latestOf(const RankLateness& rank) {
    return std::ranges::max_element(rank.steps, {}, &SegmentTime::late_ns);
}

}  // namespace

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

    if (facts.ranks.size() > kMostPoints / 2) {
        drawLines(medians, unit.ns, *ranks, *time);
    } else {
        drawBars(medians, unit.ns, *ranks, *time);
    }
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

void LatenessChart::drawBars(const std::vector<DurationNs>& medians, double unit_ns, QValueAxis& ranks,
                             QValueAxis& time) {
    auto* bars = new QBarSet(tr("median over steady-state steps"));
    for (const DurationNs median : medians) {
        bars->append(static_cast<double>(median) / unit_ns);
    }
    bars->setColor(medianColour());
    bars->setPen(Qt::NoPen);
    auto* series = new QBarSeries;
    series->setBarWidth(std::min(0.7, 0.1 * static_cast<double>(medians.size())));
    series->append(bars);
    add(series, &ranks, &time);
    connect(bars, &QBarSet::hovered, this, [this, medians](bool over, int index) {
        over ? tell(words(RankPosition(index), medians[static_cast<std::size_t>(index)])) : QToolTip::hideText();
    });
    connect(bars, &QBarSet::clicked, this, [this](int index) { activate(RankPosition(index), {}); });
    QScatterSeries* steps = points(unit_ns);
    add(steps, &ranks, &time);
    answer(*steps, unit_ns);
}

void LatenessChart::drawLines(const std::vector<DurationNs>& medians, double unit_ns, QValueAxis& ranks,
                              QValueAxis& time) {
    const std::vector<RankLateness>& of_ranks = run().facts.stragglers.ranks;
    auto* outline = new QLineSeries;
    auto* latest = new QLineSeries;
    for (RankPosition rank{0}; rank < medians.size(); ++rank) {
        const auto middle = static_cast<double>(rank);
        const double median = static_cast<double>(medians[rank]) / unit_ns;
        outline->append({{middle - 0.5, median}, {middle + 0.5, median}});
        if (!of_ranks[rank].steps.empty()) {
            latest->append(middle, static_cast<double>(latestOf(of_ranks[rank])->late_ns) / unit_ns);
        }
    }
    auto* area = new QAreaSeries(outline);
    area->setName(tr("median over steady-state steps"));
    area->setColor(medianColour());
    area->setPen(Qt::NoPen);
    add(area, &ranks, &time);
    latest->setName(tr("the latest step of a rank"));
    latest->setPen(QPen(theme().straggler, 1));
    add(latest, &ranks, &time);
    const auto rank_at = [last = medians.size() - 1](const QPointF& at) {
        return RankPosition(std::clamp<long long>(std::llround(at.x()), 0, static_cast<long long>(last)));
    };
    connect(area, &QAreaSeries::hovered, this, [this, medians, rank_at](const QPointF& at, bool over) {
        over ? tell(words(rank_at(at), medians[rank_at(at)])) : QToolTip::hideText();
    });
    connect(latest, &QLineSeries::hovered, this, [this, rank_at](const QPointF& at, bool over) {
        const auto& rank = run().facts.stragglers.ranks[rank_at(at)];
        over && !rank.steps.empty() ? tell(words(rank_at(at), latestOf(rank)->late_ns)) : QToolTip::hideText();
    });
    const auto show = [this, rank_at](const QPointF& at) { activate(rank_at(at), {}); };
    connect(area, &QAreaSeries::clicked, this, show);
    connect(latest, &QLineSeries::clicked, this, show);
}

QColor LatenessChart::medianColour() const {
    QColor fill = theme().straggler;
    fill.setAlpha(110);
    return fill;
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
        const auto latest = latestOf(ranks[rank]);
        for (auto step = steps.begin(); step != steps.end(); ++step) {
            if (each || step == latest) {
                points->append(static_cast<double>(rank), static_cast<double>(step->late_ns) / unit_ns);
            }
        }
    }
    return points;
}

QString LatenessChart::words(RankPosition rank, DurationNs late) const {
    return tr("%1: %2 later than the first").arg(rankName(*run().run, rank), duration(late));
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
