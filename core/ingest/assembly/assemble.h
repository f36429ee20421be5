// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/ingest/assembly/partial_trace.h"
#include "core/ingest/kineto/step_filter.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// Device work or a host call that carries a correlation, for joining launches.
struct Correlated {
    std::int64_t correlation = 0;
    SliceRef slice;
};

/// What assembling leaves for the linking step.
struct LinkInput {
    std::vector<Correlated> host;    ///< sorted by slice
    std::vector<Correlated> device;  ///< sorted by slice
    /// As the threads have read them; process and lane are ids of the rank trace's pool.
    std::vector<std::vector<FlowPoint>> flows;
};

/// Puts what the threads have read together: one string pool, one table a track, sorted and nested. `base_ns` is added
/// to all times; it and they lie within kFarthestTime. The parts are used up. Runs on `threads` threads. A stop ends it
/// early, and leaves a trace that must not be used.
[[nodiscard]] LinkInput assemble(std::vector<PartialTrace> parts, TimeNs base_ns, const StepWindow& steps,
                                 unsigned threads, RankTrace& into, const std::stop_token& stop = {});

}  // namespace rankscope
