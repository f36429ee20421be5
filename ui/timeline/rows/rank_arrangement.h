// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/analysis/parallelism/role.h"
#include "core/diagnosis/evidence/rank_groups.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::ui {

struct RunIndex;

/// How the ranks of each run are arranged: by their places in a dimension of the grid, if it has one of this role, and
/// in an order within each place.
struct RankArrangement {
    RankOrder order = RankOrder::Number;
    std::optional<Role> grouped_by;
    friend bool operator==(const RankArrangement&, const RankArrangement&) = default;
};

/// Whether `index` has the orders of the `ranks` ranks of a run: it may be missing, or cover fewer ranks.
[[nodiscard]] bool tellsOrder(const RunIndex* index, std::size_t ranks);
/// The ranks of a run in an order; by number while other orders are not known.
[[nodiscard]] std::vector<RankPosition> ranksInOrder(const RunIndex* index, std::size_t ranks, RankOrder order);
/// All ranks of a run from top to bottom, like the rows of the timeline.
[[nodiscard]] std::vector<RankPosition> arrangedRanks(const AnalysedRun& run, const RunIndex* index, std::size_t ranks,
                                                      const RankArrangement& arrangement);

}  // namespace rankscope::ui
