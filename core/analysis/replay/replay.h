// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/analysis/replay/replay_model.h"

namespace rankscope {

/// Host time that takes less in a replay than it did.
struct HostChange {
    TimeSpan span;             ///< on the rank's file clock
    DurationNs length_ns = 0;  ///< what its time outside of waits for the device shrinks to; never grows
};

/// What a replay of one rank leaves out.
struct ReplayChange {
    /// What a DataLoader wait shrinks to: the hand-over of a batch that is ready.
    static constexpr DurationNs kReadyBatchNs = 100'000;

    bool ready_batches = false;                           ///< DataLoader waits shrink to ready_batch_ns
    DurationNs ready_batch_ns = kReadyBatchNs;            ///< of each DataLoader wait, where batches are ready
    std::function<bool(const ReplayWait&)> no_wait = {};  ///< calls that no longer wait; empty: none
    /// By how much a wait returned late, after what it waited for was done, which it no longer does; empty: not at all.
    std::function<DurationNs(const ReplayWait&)> late_return = {};
    bool device_alone = false;                 ///< nobody else uses the device: work starts when it is ready
    bool prompt_device = false;                ///< the device answers launches as it usually does
    std::optional<DurationNs> queue_gap = {};  ///< longest pause before work that was queued behind other work
    std::function<DurationNs(const ReplayEvent&)> length = {};  ///< of device work; empty: as recorded
    /// From the launch to the start where nothing else holds it up; empty: ReplayEvent::latency_ns.
    std::function<DurationNs(const ReplayEvent&)> latency = {};
    std::function<bool(const ReplayEvent&)> removed = {};  ///< device work that is not there; empty: none
    /// Host time that shrinks: allocator calls, slow code, the launches of removed work. In any order; where two
    /// overlap, the one counts that leaves the smaller part of the time.
    std::vector<HostChange> host = {};
    /// Host time outside of waits takes this many times as long, as where other processes keep the cores and the memory
    /// busy; at least 1.
    double host_pace = 1.0;
};

/// What both leave out. A length or latency that both change is the shorter of the two; of what a change costs (pace,
/// hand-over of a batch) the larger one counts.
[[nodiscard]] ReplayChange joined(ReplayChange a, const ReplayChange& b);

/// The steps as they would have been, on the rank's own clock; as RankFacts::steps. Without a change they are the
/// steps that were measured.
[[nodiscard]] std::vector<TimeSpan> replay(const ReplayModel& model, const ReplayChange& change);

/// What a replay of one rank comes to.
struct ReplayedRank {
    std::vector<TimeSpan> steps;  ///< as replay() has them
    std::vector<TimeSpan> work;   ///< as ReplayModel::events: when each ran; empty spans of what is not there
};
/// The same as replay(), with the work.
[[nodiscard]] ReplayedRank replayWork(const ReplayModel& model, const ReplayChange& change);

}  // namespace rankscope
