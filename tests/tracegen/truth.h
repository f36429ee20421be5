// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include "tests/tracegen/simulate.h"

namespace rankscope::tracegen {

/// What a planted fault costs, found by running again without it.
struct FaultTruth {
    /// The run's step times (RunResult::stepTimes) of the faulty steps, with the fault and without.
    DurationNs step_ns = 0;          ///< median with
    DurationNs step_without_ns = 0;  ///< median without
    /// Mean with less mean without: for a fault that costs a lot in few steps.
    DurationNs mean_saving_ns = 0;
    /// What a step of the run gets shorter without it. Not negative but for chance.
    [[nodiscard]] DurationNs savingNs() const { return step_ns - step_without_ns; }
};

/// Fault number `index` of `result`'s configuration. Simulates once more.
[[nodiscard]] FaultTruth priceFault(const RunResult& result, std::size_t index);

/// What `*.truth.json` holds: the configuration, the true steps (ns from the start of the window), the clocks and, for
/// each fault, finding, ranks, steps and saving. Simulates once for each fault.
[[nodiscard]] nlohmann::json truthOf(const RunResult& result);

}  // namespace rankscope::tracegen
