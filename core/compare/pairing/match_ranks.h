// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// Which ranks of two runs correspond.
struct RankMatches {
    /// By rank of A: that of B; nothing if B has none. Indices in Run::ranks.
    std::vector<std::optional<RankPosition>> to_b;
    bool by_place = false;           ///< by their places in grids that differ, and not by number
    std::vector<std::string> notes;  ///< sentences, where it is by place: that it is, and who has no counterpart
};

/// Where the grids of both runs are known and differ, and any place is in both: the ranks that have the same place in
/// each dimension, data and shards taken together; a run without a dimension has all its ranks at place 0 of it. Else
/// the rank of B with the same number, or with the same position where either has no number or the runs share no rank
/// at all.
[[nodiscard]] RankMatches matchRanks(const AnalysedRun& a, const AnalysedRun& b);

}  // namespace rankscope
