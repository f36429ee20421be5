// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/rank_context.h"
#include "core/analysis/replay/run_replay.h"
#include "core/trace/run.h"

namespace rankscope {

/// The gathers and scatters of the shard groups of a run, with the units that they are of, what they wait for and why:
/// from the collectives, phases, steps and roles of `facts`, and from the dependencies of `model`. Nothing where no
/// group is of shards. `work` and `model` are of the same run. Ranks are timed on up to `threads` threads.
[[nodiscard]] ShardFacts findShards(const Run& run, const RunFacts& facts, const std::vector<RankContext>& work,
                                    const RunReplayModel& model, std::size_t threads);

}  // namespace rankscope
