// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/facts.h"

namespace rankscope {

/// A step of the run that is no sample, and why.
struct LeftOutStep {
    std::int64_t index = 0;
    DurationNs duration_ns = 0;
    bool complete = true;  ///< false: records are missing; true: it took unusually long
    std::string reason;  ///< "it took 182.3 ms against a median of 126.2 ms; the first step of a window often warms up"
};

/// What a run's step time is judged by: its complete, steady-state steps on the run's clock. The ranks of a step wait
/// for each other, so a step of all ranks is one sample, however many ranks there are.
struct StepSamples {
    std::vector<std::uint32_t> steps;      ///< indices in RunFacts::steps
    std::vector<DurationNs> durations_ns;  ///< as `steps`, in the order of the run
    std::vector<LeftOutStep> left_out;     ///< in the order of the run
};

[[nodiscard]] StepSamples sampleSteps(const RunFacts& facts);

}  // namespace rankscope
