// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/compare/breakdown.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// What became of a finding from A to B.
enum class FindingChange : std::uint8_t {
    Resolved,
    New,
    Better,
    Worse,
    Unchanged,
    CannotTell,  ///< only one run has it, but there it is worth so little that the other would not show it
};
[[nodiscard]] std::string_view findingChangeName(FindingChange change);  ///< as in the JSON: "resolved"

/// A finding of A and the one of B that is about the same thing; either may be missing.
struct FindingPair {
    FindingChange change = FindingChange::CannotTell;
    std::optional<std::uint32_t> a;  ///< index in A's findings
    std::optional<std::uint32_t> b;
    DurationNs a_saving_ns = 0;  ///< per step, alone; 0 if A has no such finding
    DurationNs b_saving_ns = 0;
    /// What A's and B's mean step spend on what this kind of finding owns, worth a finding or not: the effect of the
    /// change if one is gone. Only for kinds that own only one cause of idle time, and with a breakdown.
    std::optional<DurationNs> a_time_ns;
    std::optional<DurationNs> b_time_ns;
};

/// Two prices are the same within the larger of 5 % and 0.5 % of A's median step: the accuracy of prices.
[[nodiscard]] DurationNs priceTolerance(DurationNs a_ns, DurationNs b_ns, DurationNs step_ns);

/// What a finding of this kind must save of a run's step to be one (design section 5).
[[nodiscard]] DurationNs leastSaving(FindingId id, DurationNs median_step_ns);

/// Pairs findings that agree in id, cause and title, which names the culprit: the rank, the call, the line. Those that
/// changed most first.
[[nodiscard]] std::vector<FindingPair> pairFindings(const AnalysedRun& a, const AnalysedRun& b,
                                                    const std::optional<Breakdown>& breakdown);

}  // namespace rankscope
