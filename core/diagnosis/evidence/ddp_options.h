// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {

// What the rules on DDP's options share: the price of a part of DDP's reducer, and the facts and slices that show it.

/// The time that a part of the reducer takes from the GPU: its own exposed copies, and the blocked time in its ranges.
/// The replay leaves out its device work and the host time of its ranges.
struct ReducerProblem {
    LedgerFilter owned;
    RunChange without_it;
};
/// The result refers to `context`.
[[nodiscard]] ReducerProblem reducerProblem(const RuleContext& context, ReducerPart part);

/// The ranks on which a part of DDP ran in a priced step: they have the option set, whichever of them loses most time.
[[nodiscard]] std::vector<RankPosition> ranksWithPart(const RuleContext& context, DdpPart DdpStep::*part);

/// What a part of DDP did, on the rank that sets its pace, in the step with the median host time of that part.
[[nodiscard]] DdpPart medianDdpPart(const RuleContext& context, DdpPart DdpStep::*part);

/// The longest ranges of a part of the reducer, those of steady-state steps first; up to eight.
[[nodiscard]] std::vector<Evidence> evidenceOfReducer(const RuleContext& context,
                                                      const std::vector<RankPosition>& ranks, ReducerPart part);

}  // namespace rankscope
