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
#include "ui/charts/dense_series.h"
#include "ui/panels/shared/words.h"

namespace rankscope::ui {
namespace {

constexpr int kPale = 110;  // alpha, out of 255, so that the points of steps stand out on it
constexpr int kStrong = 255;

/// The step in which a rank was latest; the end if it was never late.
std::vector<SegmentTime>::const_iterator latestOf(const RankLateness& rank) {
    return std::ranges::max_element(rank.steps, {}, &SegmentTime::late_ns);
}

}  // namespace

LatenessChart::LatenessChart(const Theme& theme, QWidget* parent) : RunChart(tr("Lateness by rank"), theme, parent) {}

QString LatenessChart::fill() {
    const StragglerFacts& facts = run().facts.stragglers;
    if (facts.segments.empty()) {
        return tr("No lateness here: it needs two ranks with common collectives.");
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

    if (2 * facts.ranks.size() > kMostPoints) {  // each rank has a bar and a point
        drawDense(medians, unit.ns, *ranks, *time);
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
    auto* bars = new QBarSet(tr("median of steady-state steps"));
    for (const DurationNs median : medians) {
        bars->append(static_cast<double>(median) / unit_ns);
    }
    bars->setColor(barColour(kPale));
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

void LatenessChart::drawDense(const std::vector<DurationNs>& medians, double unit_ns, QValueAxis& ranks,
                              QValueAxis& time) {
    std::vector<DurationNs> latest;
    for (const RankLateness& rank : run().facts.stragglers.ranks) {
        latest.push_back(rank.steps.empty() ? 0 : latestOf(rank)->late_ns);
    }
    const auto layer = [&](const std::vector<DurationNs>& late, int alpha) {
        DenseSeries::Layer made{DenseSeries::Look::Bars, {}, barColour(alpha)};
        for (std::size_t rank = 0; rank < late.size(); ++rank) {
            made.points.append({static_cast<double>(rank), static_cast<double>(late[rank]) / unit_ns});
        }
        return made;
    };
    const auto name = [&](const QString& words, int alpha) {
        auto* named = new QScatterSeries;  // only for the legend
        named->setName(words);
        named->setMarkerShape(QScatterSeries::MarkerShapeRectangle);
        named->setColor(barColour(alpha));
        named->setBorderColor(theme().surface);
        add(named, &ranks, &time);
        return named;
    };
    QScatterSeries* of_median = name(tr("median of steady-state steps"), kStrong);
    (void)name(tr("a rank's latest step"), kPale);
    const auto* bars = new DenseSeries(chart(), *of_median, {layer(latest, kPale), layer(medians, kStrong)});
    const auto rank_at = [last = static_cast<long>(medians.size()) - 1](double across) {
        return RankPosition(std::clamp(std::lround(across), 0L, last));
    };
    connect(bars, &DenseSeries::hovered, this, [this, medians, latest, rank_at](double across) {
        const RankPosition rank = rank_at(across);
        tell(tr("%1\nin its latest step %2").arg(words(rank, medians[rank]), duration(latest[rank])));
    });
    connect(bars, &DenseSeries::left, this, [] { QToolTip::hideText(); });
    connect(bars, &DenseSeries::clicked, this, [this, rank_at](double across) { activate(rank_at(across), {}); });
}

QColor LatenessChart::barColour(int alpha) const {
    QColor fill = theme().straggler;
    fill.setAlpha(alpha);
    return fill;
}

QScatterSeries* LatenessChart::points(double unit_ns) const {
    const std::vector<RankLateness>& ranks = run().facts.stragglers.ranks;
    const std::size_t all = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0},
                                            [](std::size_t sum, const auto& rank) { return sum + rank.steps.size(); });
    const bool each = all <= kMostPoints;
    auto* points = new QScatterSeries;
    points->setName(each ? tr("each step") : tr("a rank's latest step"));
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
    return tr("%1: %2 later than the first").arg(rankInPlace(run(), rank), duration(late));
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
        return late_ns ? -std::abs(step.late_ns - *late_ns) : step.late_ns;  // the nearest point, or the latest one
    };
    const auto at = std::ranges::max_element(steps, {}, wanted);
    if (at != steps.end()) {
        if (const auto step = facts.steps[at->step].by_rank[rank]) {
            activateStep(rank, *step);
        }
    }
}

}  // namespace rankscope::ui
