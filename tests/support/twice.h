// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/time.h"
#include "core/trace/run.h"

namespace rankscope::test {

/// The same trace recorded `later_ns` later: the numbers of its `ProfilerStep#N` are `steps` more.
[[nodiscard]] std::shared_ptr<RankTrace> recordedLater(const std::shared_ptr<const RankTrace>& trace,
                                                       DurationNs later_ns, std::int64_t steps);
/// Windows of one rank as one trace, in order of time.
[[nodiscard]] std::shared_ptr<const RankTrace> joined(const std::vector<std::shared_ptr<const RankTrace>>& windows);

/// The run recorded a second time, as a profiler with `schedule(repeat=2)` does: each rank has two windows, and
/// `hole_ns` lie between the last end of the first ones and the first start of the second ones.
[[nodiscard]] std::shared_ptr<const Run> recordedTwice(const Run& run, DurationNs hole_ns);

}  // namespace rankscope::test
