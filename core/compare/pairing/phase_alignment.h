// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/steps/phases.h"
#include "core/compare/pairing/step_alignment.h"

namespace rankscope {

/// A stretch of one phase in a step of A, and its counterpart in the step of B. Times are from each run's base, on its
/// clock.
struct PhasePair {
    Phase phase = Phase::Forward;
    TimeSpan a_span;
    TimeSpan b_span;
};

/// The phases of two paired steps.
struct StepPhases {
    std::vector<PhasePair> pairs;     ///< in launch order, as many pairs as possible (align_names.h)
    std::vector<Phase> missing_in_a;  ///< forward, backward or optimizer, if A's step has no stretch of it
    std::vector<Phase> missing_in_b;
};

/// The phases of all pairs in `steps`, from the first rank that both runs recorded: all ranks of a run go through the
/// phases together. Linear in the slices of that rank.
[[nodiscard]] std::vector<StepPhases> pairPhases(const AnalysedRun& a, const AnalysedRun& b,
                                                 const std::vector<StepPair>& steps, const Counterparts& counterparts);

/// Converts times as StepAlignment does, but phase by phase inside a step: forward to forward, backward to backward,
/// optimizer to optimizer. The ends of each phase correspond, and times in between are in proportion. A step without
/// phases is in proportion as a whole. `phases` are in the order of `steps`.
[[nodiscard]] StepAlignment alignByPhase(const std::vector<StepPair>& steps, const std::vector<StepPhases>& phases);

}  // namespace rankscope
