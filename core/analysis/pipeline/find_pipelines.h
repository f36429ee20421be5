// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/pipeline/pipeline.h"
#include "core/analysis/rank_context.h"
#include "core/clock/run_clock.h"
#include "core/trace/run.h"

namespace rankscope {

/// The pipelines of a run, by the roles of its groups (RunFacts::parallelism): the passes of their ranks, the schedule,
/// and the bubble. `work` is as Run::ranks. Ranks are read on up to `threads` threads. Costs nothing where no group is
/// a pipeline; else linear in slices and device work of the ranks that are in one, but for sorting.
[[nodiscard]] PipelineFacts findPipelines(const Run& run, const RunFacts& facts, const RunClock& clock,
                                          const std::vector<RankContext>& work, std::size_t threads);

}  // namespace rankscope
