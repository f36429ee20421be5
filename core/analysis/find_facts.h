// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/analysis/efficiency/efficiency.h"
#include "core/analysis/facts.h"
#include "core/analysis/facts_options.h"
#include "core/analysis/memory/memory_facts.h"
#include "core/analysis/parallelism/parallelism.h"
#include "core/analysis/pipeline/pipeline.h"
#include "core/analysis/rank_context.h"
#include "core/analysis/replay/run_replay.h"
#include "core/clock/run_clock.h"
#include "core/trace/run.h"

namespace rankscope {

// The parts of a run's facts that are computed once its ranks are analysed. Each reads those before it: analyseFacts()
// calls them in this order, and findTensor() (core/analysis/tensor/find_tensor.h) before findIterations().

/// What the groups of a run are for, the places of its ranks in the grid, and which role each exposed communication
/// belongs to: from the collectives, phases and steps of `facts`, and from what the user says about groups. Ranks are
/// timed on up to `threads` threads.
[[nodiscard]] ParallelismFacts findParallelism(const Run& run, const RunFacts& facts, const RoleChoices& choices,
                                               std::size_t threads);

/// The pipelines of a run, by the roles of its groups (RunFacts::parallelism): the passes of their ranks, the schedule,
/// and the bubble. `work` is as Run::ranks. Ranks are read on up to `threads` threads. Free if no group is a pipeline;
/// else linear in slices and device work of the ranks in one, except for sorting.
[[nodiscard]] PipelineFacts findPipelines(const Run& run, const RunFacts& facts, const RunClock& clock,
                                          const std::vector<RankContext>& work, std::size_t threads);

/// Dispatches and combines of the expert groups of a run, and how even the experts' load is over the ranks: from the
/// collectives, steps and roles of `facts`. Nothing if no group is for experts. Ranks are timed on up to `threads`
/// threads.
[[nodiscard]] ExpertFacts findExperts(const Run& run, const RunFacts& facts, std::size_t threads);

/// Sums the iterations of a run by their kind: from the steps, roles and grid of `facts`, and what each step launched.
/// Nothing if no step is known to be an iteration of a server. Linear in steps, ranks and the devices' events.
[[nodiscard]] IterationFacts findIterations(const RunFacts& facts, const std::vector<RankContext>& work);

/// What used the memory of each device of a rank at its peak, judged by when blocks were allocated and freed and in
/// which phases; and what was allocated between phases. See docs/definitions/memory.md. Nothing for devices whose
/// events do not have the allocated total. O(n log n) in the events.
[[nodiscard]] std::vector<MemoryAtPeak> memoryAtPeak(const RankContext& work, const RankFacts& facts);

/// The same for all ranks, on up to `threads` threads.
[[nodiscard]] MemoryFacts findMemory(const std::vector<RankContext>& work, const RunFacts& facts, std::size_t threads);

/// The gathers and scatters of the shard groups of a run, with their units, what they wait for and why: from the
/// collectives, phases, steps and roles of `facts`, and from the dependencies of `model`. Nothing if no group is for
/// shards. `work` and `model` are of the same run. Ranks are timed on up to `threads` threads.
[[nodiscard]] ShardFacts findShards(const Run& run, const RunFacts& facts, const std::vector<RankContext>& work,
                                    const RunReplayModel& model, std::size_t threads);

/// Measures how much of the hardware a run uses, with ranks on several threads. `facts` must be complete except for its
/// efficiency; `work` as Run::ranks. Linear in device work and in operators that multiply.
[[nodiscard]] EfficiencyFacts measureEfficiency(const Run& run, const RunFacts& facts,
                                                const std::vector<RankContext>& work, const FactsOptions& options);

}  // namespace rankscope
