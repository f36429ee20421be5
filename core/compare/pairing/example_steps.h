// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/compare/pairing/counterparts.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// The steps that examples come from: complete, in the steady state, and paired with such a step of the other run. For
/// a rank without such pairs: its complete, steady-state steps.
class ExampleSteps {
  public:
    ExampleSteps(const AnalysedRun& run, const AnalysedRun& other, const Counterparts& to_other);

    /// The steps of a rank, in order of time.
    [[nodiscard]] const std::vector<RankStepPosition>& of(RankPosition rank) const { return steps_[rank]; }
    /// Whether an instant on the rank's file clock is in one of these steps. O(log n).
    [[nodiscard]] bool hold(const RankFacts& facts, RankPosition rank, TimeNs at_ns) const;

  private:
    std::vector<std::vector<RankStepPosition>> steps_;  // by rank
};

}  // namespace rankscope
