// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/communication/overlap_chart.h"

#include <QBarSeries>
#include <QBarSet>
#include <QChart>
#include <QStringList>
#include <QToolTip>
#include <QValueAxis>
#include <algorithm>
#include <utility>

#include "ui/charts/bar_names.h"
#include "ui/charts/chart_look.h"
#include "ui/panels/shared/words.h"

namespace rankscope::ui {
namespace {

constexpr std::size_t kMostBars = 100;  // pairs that can be built within a frame

/// Whether a step counts: the others are not in any mean either.
bool counts(const RankStep& step) {
    return step.complete && !step.outlier;
}

}  // namespace

std::vector<OverlapBar> overlapBars(const AnalysedRun& run, std::optional<RankPosition> rank) {
    std::vector<OverlapBar> bars;
    const std::vector<RankFacts>& ranks = run.facts.ranks;
    if (rank && *rank < ranks.size()) {
        for (RankStepPosition step{0}; step < ranks[*rank].steps.size(); ++step) {
            const RankStep& own = ranks[*rank].steps[step];
            if (const auto overlap = counts(own) ? overlapOf(own) : std::nullopt) {
                bars.push_back({*rank, step, *overlap});
            }
        }
        return bars;
    }
    for (RankPosition each{0}; each < ranks.size(); ++each) {
        if (const std::optional<OverlapEfficiency> overlap = overlapOf(ranks[each])) {
            bars.push_back({each, {}, *overlap});
        }
    }
    return bars;
}

QString overlapTitle(const AnalysedRun& run, const OverlapBar& bar) {
    return bar.step ? QObject::tr("step %1").arg(run.facts.ranks[bar.rank].steps[*bar.step].index)
                    : rankName(*run.run, bar.rank);
}

OverlapChart::OverlapChart(const Theme& theme, QWidget* parent) : RunChart(tr("Overlap"), theme, parent) {}

void OverlapChart::setRank(std::optional<RankPosition> rank) {
    if (std::exchange(rank_, rank) != rank) {
        outdate();
    }
}

void OverlapChart::refresh() {
    delete std::exchange(names_, nullptr);  // before the bars that it belongs to
    RunChart::refresh();
}

QString OverlapChart::fill() {
    bars_ = overlapBars(run(), rank_);
    if (bars_.empty()) {
        return tr("No complete, steady step has both compute and communication.");
    }
    if (bars_.size() > kMostBars) {
        const auto most_first = [](const OverlapBar& a, const OverlapBar& b) {
            return a.mean(a.overlap.exposed_ns) > b.mean(b.overlap.exposed_ns);
        };
        std::ranges::nth_element(bars_, bars_.begin() + kMostBars, most_first);
        bars_.resize(kMostBars);
        std::ranges::sort(bars_, {}, [](const OverlapBar& bar) { return std::pair(bar.rank, bar.step); });
    }
    DurationNs most_ns = 1'000;
    for (const OverlapBar& bar : bars_) {
        most_ns = std::max({most_ns, bar.mean(bar.overlap.hidden_ns), bar.mean(bar.overlap.exposed_ns)});
    }
    const TimeUnit unit = timeUnitFor(most_ns);
    QValueAxis* across = makeNumberAxis(0, static_cast<double>(bars_.size()) - 1, QStringLiteral(" "), theme());
    auto* up = new QValueAxis;
    dressValueAxis(*up, static_cast<double>(most_ns) / unit.ns);
    dressAxis(*up, theme(), unit.name);
    auto* series = new QBarSeries;
    series->setBarWidth(std::min(0.82, 0.12 * static_cast<double>(bars_.size())));
    const auto append = [&](const QString& name, const QColor& colour, DurationNs OverlapEfficiency::*part) {
        auto* set = new QBarSet(name);
        for (const OverlapBar& bar : bars_) {
            set->append(static_cast<double>(bar.mean(bar.overlap.*part)) / unit.ns);
        }
        set->setBrush(colour);
        set->setPen(QPen(theme().surface, 1));
        connect(set, &QBarSet::hovered, this, [this](bool over, int index) {
            over ? tell(words(bars_[static_cast<std::size_t>(index)])) : QToolTip::hideText();
        });
        connect(set, &QBarSet::clicked, this, [this](int index) { activate(bars_[static_cast<std::size_t>(index)]); });
        series->append(set);
    };
    append(tr("hidden behind compute"), theme().overlap, &OverlapEfficiency::hidden_ns);
    append(tr("exposed"), theme().exposed, &OverlapEfficiency::exposed_ns);
    add(series, across, up);
    std::vector<QString> names;
    for (const OverlapBar& bar : bars_) {
        names.push_back(overlapTitle(run(), bar));
    }
    names_ = new BarNames(chart(), *series, std::move(names), smallFont(theme()), theme().text_dim);
    offer({.count = bars_.size(),
           .words = [this](std::size_t i) { return words(bars_[i]); },
           .value =
               [this, ns = unit.ns](std::size_t i) {
                   const OverlapBar& bar = bars_[i];
                   const DurationNs top = std::max(bar.overlap.hidden_ns, bar.overlap.exposed_ns);
                   return QPointF(static_cast<double>(i), static_cast<double>(bar.mean(top)) / ns);
               },
           .activate = [this](std::size_t i) { activate(bars_[i]); },
           .bring_in_sight = {}});
    return {};
}

QString OverlapChart::words(const OverlapBar& bar) const {
    const OverlapEfficiency& of = bar.overlap;
    const QStringList lines{
        tr("%1: overlap efficiency %2", "a rank or a step, a share")
            .arg(overlapTitle(run(), bar), percent(of.efficiency())),
        tr("hidden %1, exposed %2").arg(duration(bar.mean(of.hidden_ns)), duration(bar.mean(of.exposed_ns))),
        tr("step %1: %2 with all hidden, %3 with none")
            .arg(duration(bar.mean(of.step_ns)), duration(bar.mean(of.bestStep())),
                 duration(bar.mean(of.worstStep())))};
    return lines.join(QLatin1Char('\n'));
}

void OverlapChart::activate(const OverlapBar& bar) {
    if (bar.step) {
        activateStep(bar.rank, *bar.step);
        return;
    }
    const std::vector<RankStep>& steps = run().facts.ranks[bar.rank].steps;
    const auto most = std::ranges::max_element(steps, {}, [](const RankStep& step) {
        return counts(step) && step.partition ? step.partition->exposed_comm_ns : -1;
    });
    if (most != steps.end()) {
        activateStep(bar.rank, RankStepPosition(most - steps.begin()));
    }
}

}  // namespace rankscope::ui
