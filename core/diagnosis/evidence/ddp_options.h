// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {

// What the rules on DDP's options share: the price of a part of its reducer, and the facts and slices that show it.

/// All that a part of the reducer keeps the device from: its own exposed copies, and the blocked time in its ranges.
/// The replay has neither its device work nor the host time of its ranges.
struct ReducerProblem {
    LedgerFilter owned;
    RunChange without_it;
};
/// It refers to `context`.
[[nodiscard]] ReducerProblem reducerProblem(const RuleContext& context, ReducerPart part);

/// The ranks on which a part of DDP did anything in a step that counts for prices: they have the option set, whoever
/// loses most to it.
[[nodiscard]] std::vector<RankPosition> ranksWithPart(const RuleContext& context, DdpPart DdpStep::*part);

/// What a part of DDP did in the step in which it took the median host time, on the rank that paces it.
[[nodiscard]] DdpPart medianDdpPart(const RuleContext& context, DdpPart DdpStep::*part);

/// The longest ranges of a part of the reducer, those of steady-state steps first; at most eight.
[[nodiscard]] std::vector<Evidence> evidenceOfReducer(const RuleContext& context,
                                                      const std::vector<RankPosition>& ranks, ReducerPart part);

}  // namespace rankscope
