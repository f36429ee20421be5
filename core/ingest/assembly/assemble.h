// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
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

/// Data for the linking step, after assembling.
struct LinkInput {
    std::vector<Correlated> host;    ///< sorted by slice
    std::vector<Correlated> device;  ///< sorted by slice
    /// As the threads read them; process and lane are ids in the rank trace's pool.
    std::vector<std::vector<FlowPoint>> flows;
};

/// Joins what the threads have read: one string pool, one table per track, sorted and nested. `base_ns` is added to all
/// times; both are within kFarthestTime. The parts are consumed. Runs on `threads` threads. A stop ends it early, and
/// leaves a trace that must not be used.
[[nodiscard]] LinkInput assemble(std::vector<PartialTrace> parts, TimeNs base_ns, const StepWindow& steps,
                                 unsigned threads, RankTrace& into, const std::stop_token& stop = {});

/// Joins device work with the host calls that launched it, by correlation and, for work without one, by flow events;
/// and forward with backward operators by their flows. Counts work and calls without a partner in the health. Runs on
/// up to `threads` threads. A stop ends it early, and leaves a trace that must not be used.
void linkTrace(LinkInput input, unsigned threads, RankTrace& trace, const std::stop_token& stop = {});

/// First start to last end over host threads and streams, without the profiler's own spans, which may be absurd.
[[nodiscard]] TimeSpan windowOf(const std::vector<Track>& tracks);

/// One rank trace of the windows that were recorded one after the other on one rank (`schedule(repeat=...)`), in order
/// of time. The windows themselves do not change, since others may already use them.
[[nodiscard]] std::shared_ptr<RankTrace> joinWindows(const std::vector<std::shared_ptr<RankTrace>>& windows);

}  // namespace rankscope
