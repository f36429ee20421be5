// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// The share of one name in the mean step of a rank. Over the complete, steady-state steps of all ranks.
struct NameTimes {
    std::uint64_t calls = 0;  ///< in all these steps
    DurationNs sum_ns = 0;    ///< in all these steps; durations of kernels, self time of operators
    double step_calls = 0;    ///< per step
    DurationNs step_ns = 0;   ///< per step, rounded down

    /// Whether the run has no calls and no time of this name in its complete, steady-state steps.
    [[nodiscard]] bool none() const { return calls == 0 && sum_ns == 0; }
    /// The mean time per call, sum_ns / calls, rounded down to whole nanoseconds; 0 without calls.
    [[nodiscard]] DurationNs meanNs() const { return calls == 0 ? 0 : sum_ns / static_cast<DurationNs>(calls); }
};

/// One name, A against B. If a run has no calls, the name was added or removed.
struct NamePair {
    std::string_view name;             ///< lives as long as the runs
    WorkClass work = WorkClass::None;  ///< of kernels and copies; None for operators
    NameTimes a;
    NameTimes b;
    [[nodiscard]] DurationNs differenceNs() const { return b.step_ns - a.step_ns; }
};

/// Kernels and copies by name and class, on the devices of the facts, largest difference first. A call belongs to the
/// step that launched it.
[[nodiscard]] std::vector<NamePair> pairKernels(const AnalysedRun& a, const AnalysedRun& b);

/// Operators, named ranges and runtime calls by name, largest difference of self time first. A call belongs to the step
/// on the host in which it began.
[[nodiscard]] std::vector<NamePair> pairOperators(const AnalysedRun& a, const AnalysedRun& b);

}  // namespace rankscope
