// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <vector>

#include "core/analysis/counters/counter_series.h"
#include "core/analysis/facts.h"
#include "core/clock/run_clock.h"
#include "core/trace/run.h"

namespace rankscope {

/// How a counter of a run is computed from those of its ranks.
enum class RunCounterBy : std::uint8_t { Sum, Mean };
[[nodiscard]] RunCounterBy runCounterBy(CounterKind kind);

/// The counters of a whole run, on the run's clock, without a device: bytes per second of its collectives and host
/// copies, and its memory, as sums over ranks and devices; exposed communication as the mean over all ranks, where
/// ranks outside a step count as 0. There are none for kernels, launch queues and threads: their sums say nothing.
/// Empty while the facts of the run are not known, and once `stop` is requested. O(n log n) in what is counted.
[[nodiscard]] std::vector<CounterSeries> countersOfRun(const Run& run, const RunFacts& facts, const RunClock& clock,
                                                       const std::atomic<bool>& stop);

}  // namespace rankscope
