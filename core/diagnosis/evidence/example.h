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

/// The step of the culprits, of those that prices are based on, whose time comes nearest to the price's blocked time;
/// or to the median of those that lose anything, if the critical rank loses nothing. Nothing if none does. O(steps x
/// culprits + their ledger entries).
[[nodiscard]] std::optional<TypicalPlace> typicalPlace(const RuleContext& context, const Price& price);

/// What the finding is made of there.
[[nodiscard]] std::optional<FindingExample> exampleOf(const RuleContext& context, const Price& price);

}  // namespace rankscope
