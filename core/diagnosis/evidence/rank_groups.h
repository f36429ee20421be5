// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// The order of a run's ranks.
enum class RankOrder : std::uint8_t {
    Number,    ///< as Run::ranks
    Lateness,  ///< the latest first: SegmentTime::late_ns, the median of complete, steady-state steps
    Cost,      ///< those with the most expensive findings first: Finding::saving_ns of all that name the rank among the
               ///< culprits
};
inline constexpr std::size_t kRankOrderCount = 3;
[[nodiscard]] std::string_view rankOrderName(RankOrder order);  ///< in files: "number", "lateness", "cost"

/// All ranks in an order; equal ones, and those without a value, as Run::ranks.
[[nodiscard]] std::vector<RankPosition> orderedRanks(const AnalysedRun& run, RankOrder order);

/// Ranks that do not differ, with one that represents them.
struct AlikeRanks {
    RankPosition shown;
    std::vector<RankPosition> hidden;  ///< the others, sorted; two at least
    friend bool operator==(const AlikeRanks&, const AlikeRanks&) = default;
};

/// Two ranks are alike if their median step (complete, steady-state steps) divides alike: compute, exposed
/// communication, exposed copy and idle, and the lateness, each differ by less than 3 % of the run's median step, the
/// limit for a straggler (design 4.7).
///
/// A rank that a finding names is in no group, unless the finding names every rank. Nor is one without device work or
/// complete steps: nothing is known of it. Each group is the largest that is left, around the rank that is like most
/// others, the first of equals. Costs ranks squared.
[[nodiscard]] std::vector<AlikeRanks> alikeRanks(const AnalysedRun& run);

}  // namespace rankscope
