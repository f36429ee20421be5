// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/compare/pairing/counterparts.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// The steps of a run that examples are taken from: complete, steady, and paired with such a step of the other run; on
/// a rank without any, the complete, steady-state ones.
class ExampleSteps {
  public:
    ExampleSteps(const AnalysedRun& run, const AnalysedRun& other, const Counterparts& to_other);

    /// Of a rank, in order of time.
    [[nodiscard]] const std::vector<RankStepPosition>& of(RankPosition rank) const { return steps_[rank]; }
    /// Whether an instant of the rank's file clock is in one of them. O(log n).
    [[nodiscard]] bool hold(const RankFacts& facts, RankPosition rank, TimeNs at_ns) const;

  private:
    std::vector<std::vector<RankStepPosition>> steps_;  // by rank
};

}  // namespace rankscope
