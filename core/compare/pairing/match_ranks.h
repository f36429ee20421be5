// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// Which ranks of two runs correspond.
struct RankMatches {
    /// By rank of A: B's rank, or nothing if B has none. Indices in Run::ranks.
    std::vector<std::optional<RankPosition>> to_b;
    bool by_place = false;           ///< ranks are matched by their places, because the grids differ; else by number
    std::vector<std::string> notes;  ///< sentences if by place: that it is, and which ranks have no counterpart
};

/// Matches ranks by place if the grids of both runs are known and differ, and they share at least one place. Places
/// agree if they are equal in each dimension. Data and shards count as one dimension; a run without a dimension has all
/// ranks at place 0 of it. Else matches ranks by number, or by position if either rank has no number or the runs share
/// no rank.
[[nodiscard]] RankMatches matchRanks(const AnalysedRun& a, const AnalysedRun& b);

}  // namespace rankscope
