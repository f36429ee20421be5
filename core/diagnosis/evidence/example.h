// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/diagnosis/frame/rule.h"

namespace rankscope {

/// A step of a rank that is typical of a finding.
struct TypicalPlace {
    RankPosition rank;
    const RunStep* step = nullptr;
    RankStepPosition own;    ///< the same step of the rank
    DurationNs time_ns = 0;  ///< ledger time of the finding there
};

/// The priced step of a culprit whose time is nearest to the price's blocked time; if the critical rank loses nothing,
/// nearest to the median of the ranks that lose time. Nothing if none does. O(steps x culprits + their ledger entries).
[[nodiscard]] std::optional<TypicalPlace> typicalPlace(const RuleContext& context, const Price& price);

/// The parts of the finding's time in its typical step.
[[nodiscard]] std::optional<FindingExample> exampleOf(const RuleContext& context, const Price& price);

}  // namespace rankscope
