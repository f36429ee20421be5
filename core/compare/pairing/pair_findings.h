// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/compare/breakdown.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// What happened to a finding from A to B.
enum class FindingChange : std::uint8_t {
    Resolved,
    New,
    Better,
    Worse,
    Unchanged,
    CannotTell,  ///< only one run has it, but there it is so small that the other run would not show it
};
[[nodiscard]] std::string_view findingChangeName(FindingChange change);  ///< as in the JSON: "resolved"

/// A finding of A and its counterpart in B; either may be missing.
struct FindingPair {
    FindingChange change = FindingChange::CannotTell;
    std::optional<std::uint32_t> a;  ///< index in A's findings
    std::optional<std::uint32_t> b;
    DurationNs a_saving_ns = 0;  ///< per step, alone; 0 if A has no such finding
    DurationNs b_saving_ns = 0;
    /// The time of A's and B's mean step that this kind of finding owns, even if too small for a finding. It shows the
    /// effect of a change that removes the finding. Only for kinds that own one cause of idle time, and only with a
    /// breakdown.
    std::optional<DurationNs> a_time_ns;
    std::optional<DurationNs> b_time_ns;
};

/// Two prices are equal within the larger of 5 % and 0.5 % of A's median step, which is the accuracy of prices.
[[nodiscard]] DurationNs priceTolerance(DurationNs a_ns, DurationNs b_ns, DurationNs step_ns);

/// The smallest saving per step that makes a finding of this kind.
[[nodiscard]] DurationNs leastSaving(FindingId id, DurationNs median_step_ns);

/// Pairs findings of equal id, cause and title. The title names the culprit: the rank, the call, the line. Largest
/// change first.
[[nodiscard]] std::vector<FindingPair> pairFindings(const AnalysedRun& a, const AnalysedRun& b,
                                                    const std::optional<Breakdown>& breakdown);

}  // namespace rankscope
