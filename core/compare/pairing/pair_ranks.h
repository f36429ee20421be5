// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/compare/breakdown.h"
#include "core/compare/pairing/match_ranks.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// A rank of A and its counterpart in B; either may be missing.
struct RankPair {
    std::optional<RankPosition> a;  ///< index in A's Run::ranks
    std::optional<RankPosition> b;
    std::optional<Breakdown> breakdown;  ///< of these two ranks alone; nothing if either has no device work
    /// Median segment time per step: from one blocking collective until ready for the next. Nothing if unknown.
    std::optional<DurationNs> a_segment_ns;
    std::optional<DurationNs> b_segment_ns;
};

/// All ranks of both runs, as matchRanks() matches them; A's ranks first.
[[nodiscard]] std::vector<RankPair> pairRanks(const AnalysedRun& a, const AnalysedRun& b, const RankMatches& matches);

}  // namespace rankscope
