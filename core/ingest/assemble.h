// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/ingest/partial_trace.h"
#include "core/ingest/step_filter.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// Device work or a host call that carries a correlation, for joining launches.
struct Correlated {
    std::int64_t correlation = 0;
    SliceRef slice;
};

/// What assembling leaves for the linking step.
struct LinkInput {
    std::vector<Correlated> host;
    std::vector<Correlated> device;
    std::vector<FlowPoint> flows;  ///< process and lane are ids of the rank trace's pool
};

/// Puts what the threads have read together: one string pool, one table a track, sorted and nested. `base_ns` is added
/// to all times. The parts are used up. Runs on `threads` threads.
[[nodiscard]] LinkInput assemble(std::vector<PartialTrace> parts, TimeNs base_ns, const StepWindow& steps,
                                 unsigned threads, RankTrace& into);

}  // namespace rankscope
