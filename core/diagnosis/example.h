// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/diagnosis/rule.h"

namespace rankscope {

/// A step of a rank that stands for all that a finding is about.
struct TypicalPlace {
    RankPosition rank;
    const RunStep* step = nullptr;
    RankStepPosition own;    ///< the same step of the rank
    DurationNs time_ns = 0;  ///< ledger time of the finding there
};

/// Of the culprits' steps that prices stand on, the one that comes nearest to the price's blocked time; where the
/// critical rank loses nothing, to the median of those that lose anything. Nothing where none does.
/// O(steps x culprits + their ledger entries).
[[nodiscard]] std::optional<TypicalPlace> typicalPlace(const RuleContext& context, const Price& price);

/// What the finding is made of there.
[[nodiscard]] std::optional<FindingExample> exampleOf(const RuleContext& context, const Price& price);

}  // namespace rankscope
