// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/diagnosis/analysed_run.h"

namespace rankscope {

/// In which order a run's ranks stand.
enum class RankOrder : std::uint8_t {
    Number,    ///< as Run::ranks
    Lateness,  ///< the latest first: SegmentTime::late_ns, the median of complete, steady-state steps
    Cost,  ///< those first whose findings cost most: Finding::saving_ns of all that name the rank among the culprits
};
inline constexpr std::size_t kRankOrderCount = 3;
[[nodiscard]] std::string_view rankOrderName(RankOrder order);  ///< in files: "number", "lateness", "cost"

/// All ranks in an order; of equals, and of those of which nothing is known, as Run::ranks.
[[nodiscard]] std::vector<RankPosition> orderedRanks(const AnalysedRun& run, RankOrder order);

/// Ranks that nothing tells apart, with one that can stand for them.
struct AlikeRanks {
    RankPosition shown;
    std::vector<RankPosition> hidden;  ///< the others, sorted; two at least
    friend bool operator==(const AlikeRanks&, const AlikeRanks&) = default;
};

/// Two ranks are alike if their median step (complete, steady-state steps) divides alike: compute, exposed
/// communication, exposed copy and idle, and the lateness, each differ by less than 3 % of the run's median step, which
/// is what it takes to be a straggler (design 4.7).
///
/// A rank that a finding names is in no group, unless the finding names every rank and so tells none apart. Nor is one
/// without device work or complete steps: nothing can be said of it. Each group is the largest that is left, around the
/// rank that is like most others, the first of equals. Costs ranks squared.
[[nodiscard]] std::vector<AlikeRanks> alikeRanks(const AnalysedRun& run);

}  // namespace rankscope
