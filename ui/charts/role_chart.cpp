// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/role_chart.h"

#include <QBarSet>
#include <QChart>
#include <QStackedBarSeries>
#include <QStringList>
#include <QToolTip>
#include <QValueAxis>
#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "ui/charts/bar_names.h"
#include "ui/charts/chart_look.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/role_words.h"
#include "ui/theme/swatches.h"

namespace rankscope::ui {
namespace {

constexpr std::size_t kMostRanks = 120;  // ranks that can be built within a frame

std::optional<Role> roleAt(std::size_t place) {
    return place < kRoleCount ? std::optional(static_cast<Role>(place)) : std::nullopt;
}

}  // namespace

RoleChart::RoleChart(const Theme& theme, QWidget* parent) : RunChart(tr("Exposed by role"), theme, parent) {}

void RoleChart::refresh() {
    delete std::exchange(names_, nullptr);  // before the bars that it belongs to
    RunChart::refresh();
}

RoleTimes RoleChart::meanOf(RankPosition rank) const {
    const RankRoles& roles = run().facts.parallelism.ranks[rank];
    RoleTimes mean = roles.exposed;
    for (DurationNs& ns : mean.ns) {
        ns /= static_cast<DurationNs>(std::max<std::size_t>(1, roles.counted));
    }
    return mean;
}

std::vector<RankPosition> RoleChart::shownRanks() const {
    std::vector<RankPosition> ranks(run().facts.parallelism.ranks.size());
    std::iota(ranks.begin(), ranks.end(), RankPosition());
    if (ranks.size() > kMostRanks) {
        const auto most_first = [this](RankPosition a, RankPosition b) {
            return meanOf(a).total() > meanOf(b).total();
        };
        std::ranges::nth_element(ranks, ranks.begin() + kMostRanks, most_first);
        ranks.resize(kMostRanks);
        std::ranges::sort(ranks);
    }
    return ranks;
}

QString RoleChart::fill() {
    const std::vector<RankPosition> ranks = shownRanks();
    DurationNs most = 0;
    for (const RankPosition rank : ranks) {
        most = std::max(most, meanOf(rank).total());
    }
    if (most == 0) {
        return tr("No step has exposed communication.");
    }
    const TimeUnit unit = timeUnitFor(most);
    QValueAxis* across = makeNumberAxis(0, static_cast<double>(ranks.size()) - 1, QStringLiteral(" "), theme());
    auto* time = new QValueAxis;
    dressValueAxis(*time, static_cast<double>(most) / unit.ns);
    dressAxis(*time, theme(), unit.name);
    auto* series = new QStackedBarSeries;
    series->setBarWidth(std::min(0.82, 0.1 * static_cast<double>(ranks.size())));
    for (std::size_t place = 0; place <= kRoleCount; ++place) {
        const std::optional<Role> role = roleAt(place);
        auto* set = new QBarSet(roleTitle(role));
        for (const RankPosition rank : ranks) {
            set->append(static_cast<double>(meanOf(rank)[role]) / unit.ns);
        }
        if (set->sum() <= 0) {
            delete set;
            continue;
        }
        set->setBrush(colourOf(role, theme()));
        set->setPen(QPen(theme().surface, 1));  // distinguished not only by colour
        connect(set, &QBarSet::hovered, this, [this, ranks](bool over, int index) {
            over ? tell(words(ranks[static_cast<std::size_t>(index)])) : QToolTip::hideText();
        });
        connect(set, &QBarSet::clicked, this,
                [this, ranks](int index) { activate(ranks[static_cast<std::size_t>(index)]); });
        series->append(set);
    }
    add(series, across, time);
    nameBars(*series, ranks);
    offer({.count = ranks.size(),
           .words = [this, ranks](std::size_t i) { return words(ranks[i]); },
           .value =
               [this, ranks, ns = unit.ns](std::size_t i) {
                   return QPointF(static_cast<double>(i), static_cast<double>(meanOf(ranks[i]).total()) / ns);
               },
           .activate = [this, ranks](std::size_t i) { activate(ranks[i]); },
           .bring_in_sight = {}});
    return {};
}

void RoleChart::nameBars(QAbstractSeries& bars, const std::vector<RankPosition>& ranks) {
    std::vector<QString> names;
    std::vector<QString> places;
    for (const RankPosition rank : ranks) {
        const auto& number = run().run->ranks[rank]->rank;
        names.push_back(number ? QString::number(number->value) : rankName(*run().run, rank));
        places.push_back(rankInPlace(run(), rank));
    }
    names_ = new BarNames(chart(), bars, std::move(names), smallFont(theme()), theme().text_dim, std::move(places));
}

QString RoleChart::words(RankPosition rank) const {
    const RoleTimes mean = meanOf(rank);
    QStringList lines{tr("%1: %2 exposed per step").arg(rankInPlace(run(), rank), duration(mean.total()))};
    for (std::size_t place = 0; place <= kRoleCount; ++place) {
        if (mean.ns.at(place) > 0) {
            lines << tr("%1: %2", "a role, its time").arg(roleTitle(roleAt(place)), duration(mean.ns.at(place)));
        }
    }
    const auto counted = static_cast<std::uint64_t>(run().facts.parallelism.ranks[rank].counted);
    lines << plural(tr("mean of %n step(s)", nullptr, static_cast<int>(counted)), counted);
    return lines.join(QLatin1Char('\n'));
}

void RoleChart::activate(RankPosition rank) {
    const std::vector<RoleTimes>& steps = run().facts.parallelism.ranks[rank].steps;
    const auto most = std::ranges::max_element(steps, {}, &RoleTimes::total);
    if (most != steps.end()) {
        activateStep(rank, RankStepPosition(most - steps.begin()));
    }
}

}  // namespace rankscope::ui
