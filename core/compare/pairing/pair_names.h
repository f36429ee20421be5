// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// What one name takes of the mean step of a rank: over the steps of all ranks that are complete and steady.
struct NameTimes {
    std::uint64_t calls = 0;  ///< in all these steps
    DurationNs sum_ns = 0;    ///< in all these steps; of kernels durations, of operators self time
    double step_calls = 0;    ///< of a step
    DurationNs step_ns = 0;   ///< of a step, rounded down

    /// Whether the run has nothing of this name in its complete, steady-state steps: no calls and no time.
    [[nodiscard]] bool none() const { return calls == 0 && sum_ns == 0; }
    /// The mean time of a call, sum_ns / calls in whole nanoseconds rounded down; 0 without calls.
    [[nodiscard]] DurationNs meanNs() const { return calls == 0 ? 0 : sum_ns / static_cast<DurationNs>(calls); }
};

/// One name, A against B. Without calls in a run it is added or removed.
struct NamePair {
    std::string_view name;             ///< lives as long as the runs
    WorkClass work = WorkClass::None;  ///< of kernels and copies; None for operators
    NameTimes a;
    NameTimes b;
    [[nodiscard]] DurationNs differenceNs() const { return b.step_ns - a.step_ns; }
};

/// Kernels and copies by name and class, on the devices of the facts, the largest difference first. A call is in the
/// step that launched it.
[[nodiscard]] std::vector<NamePair> pairKernels(const AnalysedRun& a, const AnalysedRun& b);

/// Operators, named ranges and runtime calls by name, the largest difference of self time first. A call is in the step
/// on the host in which it began.
[[nodiscard]] std::vector<NamePair> pairOperators(const AnalysedRun& a, const AnalysedRun& b);

}  // namespace rankscope
