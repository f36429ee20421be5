// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/compare/breakdown.h"
#include "core/compare/pairing/match_ranks.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// A rank of A and the rank of B that it is compared with; either may be missing.
struct RankPair {
    std::optional<RankPosition> a;  ///< in A's Run::ranks
    std::optional<RankPosition> b;
    std::optional<Breakdown> breakdown;  ///< of these two ranks alone; nothing if either has no device work
    /// Median segment time of a step, from one blocking collective until ready for the next; nothing if not known.
    std::optional<DurationNs> a_segment_ns;
    std::optional<DurationNs> b_segment_ns;
};

/// All ranks of either run, those of A first, as matchRanks() has matched them.
[[nodiscard]] std::vector<RankPair> pairRanks(const AnalysedRun& a, const AnalysedRun& b, const RankMatches& matches);

}  // namespace rankscope
