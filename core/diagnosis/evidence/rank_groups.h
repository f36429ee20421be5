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
    Cost,      ///< most expensive findings first: by the sum of Finding::saving_ns of those that name the rank as a
               ///< culprit
};
inline constexpr std::size_t kRankOrderCount = 3;
[[nodiscard]] std::string_view rankOrderName(RankOrder order);  ///< in files: "number", "lateness", "cost"

/// All ranks in an order; equal ranks, and ranks without a value, in the order of Run::ranks.
[[nodiscard]] std::vector<RankPosition> orderedRanks(const AnalysedRun& run, RankOrder order);

/// Ranks that do not differ, with one that represents them.
struct AlikeRanks {
    RankPosition shown;
    std::vector<RankPosition> hidden;  ///< the others, sorted; at least two
    friend bool operator==(const AlikeRanks&, const AlikeRanks&) = default;
};

/// Two ranks are alike if their median steps (complete, steady-state steps) are divided alike: compute, exposed
/// communication, exposed copies, idle, and lateness each differ by less than 3 % of the run's median step, the limit
/// for a straggler (design 4.7).
///
/// A rank that a finding names is in no group, unless the finding names every rank. Ranks without device work or
/// complete steps are in no group either: nothing is known of them. Groups are made largest first, each around the rank
/// that is like most others (of equals the first). O(ranks squared).
[[nodiscard]] std::vector<AlikeRanks> alikeRanks(const AnalysedRun& run);

}  // namespace rankscope
