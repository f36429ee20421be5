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

#include "core/analysis/step_spread.h"
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
        for (const OwnTime& step : rank.steps) {
            longest = std::max(longest, step.late_ns);
        }
    }
    const TimeUnit unit = timeUnitFor(longest);
    auto* ranks = new QValueAxis;
    ranks->setRange(-0.5, static_cast<double>(facts.ranks.size()) - 0.5);
    ranks->setLabelFormat(tr("rank %d"));
    ranks->setTickType(QValueAxis::TicksDynamic);
    ranks->setTickInterval(std::max(1.0, std::ceil(static_cast<double>(facts.ranks.size()) / 16.0)));
    ranks->setTickAnchor(0);
    auto* time = new QValueAxis;
    dressValueAxis(*time, static_cast<double>(longest) / unit.ns, true);
    dressAxis(*ranks, theme(), {});
    dressAxis(*time, theme(), unit.name);
    ranks->setGridLineVisible(false);

    auto* bars = new QBarSet(tr("median over ordinary steps"));
    auto* steps = new QScatterSeries;
    steps->setName(tr("each step"));
    steps->setMarkerSize(7);
    steps->setColor(theme().straggler);
    steps->setBorderColor(theme().surface);
    for (std::size_t rank = 0; rank < facts.ranks.size(); ++rank) {
        bars->append(static_cast<double>(medians[rank]) / unit.ns);
        for (const OwnTime& step : facts.ranks[rank].steps) {
            steps->append(static_cast<double>(rank), static_cast<double>(step.late_ns) / unit.ns);
        }
    }
    QColor fill = theme().straggler;
    fill.setAlpha(110);
    bars->setColor(fill);
    bars->setPen(Qt::NoPen);
    auto* series = new QBarSeries;
    series->setBarWidth(std::min(0.7, 0.1 * static_cast<double>(facts.ranks.size())));
    series->append(bars);
    add(series, ranks, time);
    add(steps, ranks, time);

    const auto words = [this](std::size_t rank, DurationNs late) {
        return tr("%1: %2 later than the first")
            .arg(rankName(*run().run, static_cast<std::uint32_t>(rank)), duration(late));
    };
    connect(bars, &QBarSet::hovered, this, [this, medians, words](bool over, int index) {
        over ? tell(words(static_cast<std::size_t>(index), medians[static_cast<std::size_t>(index)]))
             : QToolTip::hideText();
    });
    connect(bars, &QBarSet::clicked, this, [this](int index) { activate(static_cast<std::uint32_t>(index), {}); });
    const auto late_at = [unit](const QPointF& at) { return static_cast<DurationNs>(std::llround(at.y() * unit.ns)); };
    connect(steps, &QScatterSeries::hovered, this, [this, words, late_at](const QPointF& at, bool over) {
        over ? tell(words(static_cast<std::size_t>(std::llround(at.x())), late_at(at))) : QToolTip::hideText();
    });
    connect(steps, &QScatterSeries::clicked, this, [this, late_at](const QPointF& at) {
        activate(static_cast<std::uint32_t>(std::llround(at.x())), late_at(at));
    });
    return {};
}

void LatenessChart::activate(std::uint32_t rank, std::optional<DurationNs> late_ns) {
    const RunFacts& facts = run().facts;
    if (rank >= facts.stragglers.ranks.size()) {
        return;
    }
    const auto& steps = facts.stragglers.ranks[rank].steps;
    const auto wanted = [&](const OwnTime& step) {
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
