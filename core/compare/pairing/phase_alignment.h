// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/steps/phases.h"
#include "core/compare/pairing/step_alignment.h"

namespace rankscope {

/// A stretch of one phase in a step of A, and the corresponding one in the step of B. From the runs' bases, on their
/// clocks.
struct PhasePair {
    Phase phase = Phase::Forward;
    TimeSpan a_span;
    TimeSpan b_span;
};

/// The phases of two corresponding steps.
struct StepPhases {
    std::vector<PhasePair> pairs;     ///< in the order of their launches, in which as many pair as can (align_names.h)
    std::vector<Phase> missing_in_a;  ///< of forward, backward and optimizer: what has no stretch in A's step
    std::vector<Phase> missing_in_b;
};

/// The phases of all pairs of steps, as `steps`: of the first rank that both runs recorded, since the ranks of a run go
/// through them together. Linear in the slices of that rank.
[[nodiscard]] std::vector<StepPhases> pairPhases(const AnalysedRun& a, const AnalysedRun& b,
                                                 const std::vector<StepPair>& steps, const Counterparts& counterparts);

/// Converts times as StepAlignment does, but inside a step forward to forward, backward to backward, optimizer to
/// optimizer: the ends of each phase correspond, and times in between are in proportion. A step without phases is in
/// proportion as a whole. `phases` are as `steps`.
[[nodiscard]] StepAlignment alignByPhase(const std::vector<StepPair>& steps, const std::vector<StepPhases>& phases);

}  // namespace rankscope
