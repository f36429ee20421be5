// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/compare/counterparts.h"
#include "core/diagnosis/analysed_run.h"

namespace rankscope {

/// The steps of a run that examples are taken from: complete, steady, and standing against such a one in the other
/// run; on a rank without any, the complete, steady-state ones.
class ExampleSteps {
  public:
    ExampleSteps(const AnalysedRun& run, const AnalysedRun& other, const Counterparts& to_other);

    /// Of a rank: indices in RankFacts::steps, in order of time.
    [[nodiscard]] const std::vector<std::uint32_t>& of(std::uint32_t rank) const { return steps_[rank]; }
    /// Whether an instant of the rank's file clock lies in one of them. O(log n).
    [[nodiscard]] bool hold(const RankFacts& facts, std::uint32_t rank, TimeNs at_ns) const;

  private:
    std::vector<std::vector<std::uint32_t>> steps_;  // by rank
};

}  // namespace rankscope
