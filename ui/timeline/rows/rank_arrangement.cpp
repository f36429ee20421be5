// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/rows/rank_arrangement.h"

#include <numeric>

#include "core/analysis/parallelism/grid_places.h"
#include "ui/timeline/index_store.h"

namespace rankscope::ui {

bool tellsOrder(const RunIndex* index, std::size_t ranks) {
    return index != nullptr && index->orders.front().size() == ranks;
}

std::vector<RankPosition> ranksInOrder(const RunIndex* index, std::size_t ranks, RankOrder order) {
    if (tellsOrder(index, ranks)) {
        return index->orders[static_cast<std::size_t>(order)];
    }
    std::vector<RankPosition> out(ranks);
    std::iota(out.begin(), out.end(), RankPosition());
    return out;
}

std::vector<RankPosition> arrangedRanks(const AnalysedRun& run, const RunIndex* index, std::size_t ranks,
                                        const RankArrangement& arrangement) {
    std::vector<RankPosition> ordered = ranksInOrder(index, ranks, arrangement.order);
    if (!arrangement.grouped_by) {
        return ordered;
    }
    std::vector<RankPosition> out;
    for (const RanksOfPlace& place : ranksByPlace(run.facts.parallelism.grid, *arrangement.grouped_by, ordered)) {
        out.insert(out.end(), place.ranks.begin(), place.ranks.end());
    }
    return out.empty() ? ordered : out;
}

}  // namespace rankscope::ui
