// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/frame/finding.h"

namespace rankscope {

struct RuleContext;

/// CannotTell::record if everything is recorded, but not computed yet.
inline constexpr const char* kNothingToRecord = "Nothing more needs to be recorded for it.";

/// Findings that cannot be judged, for the same reason.
struct CannotTellTogether {
    std::vector<FindingId> ids;  ///< at least one, in their order
    std::string reason;          ///< as CannotTell
    std::string record;          ///< as CannotTell
    /// "dataloader-stall, host-sync"
    [[nodiscard]] std::string names() const;
};
/// For people: each reason once, with the missing recording option, in order of first occurrence.
[[nodiscard]] std::vector<CannotTellTogether> cannotTellByReason(const std::vector<CannotTell>& all);

/// Why no rank's segment time is known (StragglerFacts::segments is empty) although all ranks of the run were opened
/// and communicate, and which recording would show it: kNothingToRecord if none would. Linear in the members of all
/// collectives.
[[nodiscard]] CannotTell whySegmentsAreUnknown(const RuleContext& context);

}  // namespace rankscope
