// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/pipeline/pipeline.h"
#include "core/analysis/replay/run_replay.h"
#include "core/base/time.h"

namespace rankscope {

/// How much longer a step is than its replay: what a remedy costs, or what a replay cannot play. Per step, in
/// nanoseconds; low <= likely <= high.
struct AddedTime {
    DurationNs low_ns = 0;
    DurationNs likely_ns = 0;
    DurationNs high_ns = 0;
};

/// All changes of a forecast together, as they were played.
struct PlayedChange {
    const RunChange& joint;
    DurationNs saved_ns = 0;  ///< of the priced step; negative if it grows
};

/// How the pipelines of a job run, where that differs from today.
struct PipelinePlan {
    std::optional<std::int32_t> micro_batches = {};  ///< in a step
    std::optional<Schedule> schedule = {};
    bool even = false;  ///< all stages take the same time
    [[nodiscard]] bool any() const { return micro_batches || schedule || even; }
};

/// What a change does to a run. Effects compose: each works on what those before it left, so two factors multiply.
struct WhatIfEffect {
    /// Host time, waits, launches, and work that is left out.
    RunChange replay = {};
    /// The new length of device work that is not a coupled collective, from the length so far; empty: unchanged.
    std::function<DurationNs(RankPosition rank, const ReplayEvent& event, DurationNs length_ns)> length = {};
    /// The new length of a coupled collective's transfer, from the length so far; empty: unchanged.
    std::function<DurationNs(CollectivePosition collective, DurationNs transfer_ns)> transfer = {};
    /// Called with all changes together before they are played, for what depends on how long everything else takes: it
    /// may change what `replay` does. Empty: nothing does.
    std::function<void(const RunChange& joint)> settle = {};
    /// What comes on top of the replayed step; empty: nothing.
    std::function<AddedTime(const PlayedChange& played)> added = {};
    /// `replay` and `added` already have what communication costs the kernels beside it.
    bool own_contention = false;
    /// How the job's pipelines run. The plans of all effects are one plan, whose step is played once, with the stage
    /// times of the replay.
    PipelinePlan pipeline = {};
    /// The saving is an upper bound: the range reaches up to today's step.
    bool at_most = false;
    /// What is known about this change on this run only, as whole sentences: "3 of 5 all-reduces have a fit."
    std::vector<std::string> notes = {};
};

/// All effects as one change for a replay. It refers to what the effects refer to.
[[nodiscard]] RunChange composed(const std::vector<WhatIfEffect>& effects);
/// The plans of all effects as one.
[[nodiscard]] PipelinePlan planOf(const std::vector<WhatIfEffect>& effects);

/// The time of `span` outside waits for the device, as HostChange::length_ns has it. O(log waits), and linear in the
/// waits inside.
[[nodiscard]] DurationNs hostWorkIn(const ReplayModel& model, const TimeSpan& span);

}  // namespace rankscope
