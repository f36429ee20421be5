// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/steps/phases.h"
#include "core/compare/step_alignment.h"

namespace rankscope {

/// A stretch of one phase in a step of A, and the one in the step of B that it stands against. From the runs' bases, on
/// their clocks.
struct PhasePair {
    Phase phase = Phase::Forward;
    TimeSpan a_span;
    TimeSpan b_span;
};

/// The phases of two steps that stand against each other.
struct StepPhases {
    std::vector<PhasePair> pairs;     ///< in the order of their launches, in which as many pair as can (align_names.h)
    std::vector<Phase> missing_in_a;  ///< of forward, backward and optimizer: what has no stretch in A's step
    std::vector<Phase> missing_in_b;
};

/// The phases of all pairs of steps, as `steps`: of the first rank that both runs recorded, since the ranks of a run go
/// through them together. Linear in the slices of that rank.
[[nodiscard]] std::vector<StepPhases> pairPhases(const AnalysedRun& a, const AnalysedRun& b,
                                                 const std::vector<StepPair>& steps, const Counterparts& counterparts);

/// Carries times as StepAlignment does, but inside a step forward onto forward, backward onto backward, optimizer onto
/// optimizer: where each begins and ends in A, it does in B, and in between both go on in proportion. A step without
/// phases goes on in proportion as a whole. `phases` are as `steps`.
[[nodiscard]] StepAlignment alignByPhase(const std::vector<StepPair>& steps, const std::vector<StepPhases>& phases);

}  // namespace rankscope
