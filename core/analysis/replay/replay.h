// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/analysis/replay/host_time_warp.h"
#include "core/analysis/replay/replay_model.h"

namespace rankscope {

/// Host time that is shorter in a replay than recorded.
struct HostChange {
    TimeSpan span;             ///< on the rank's file clock
    DurationNs length_ns = 0;  ///< the new length of its time outside waits for the device; never longer than recorded
};

/// What a replay of one rank changes.
struct ReplayChange {
    /// The new length of a DataLoader wait: the hand-over of a batch that is ready.
    static constexpr DurationNs kReadyBatchNs = 100'000;

    bool ready_batches = false;                           ///< DataLoader waits shrink to ready_batch_ns
    DurationNs ready_batch_ns = kReadyBatchNs;            ///< time of each DataLoader wait if batches are ready
    std::function<bool(const ReplayWait&)> no_wait = {};  ///< calls that no longer wait; empty: none
    /// How much later than the end of the awaited work a wait returned; the replay removes that delay. Empty: no delay
    /// is removed.
    std::function<DurationNs(const ReplayWait&)> late_return = {};
    bool device_alone = false;                 ///< no other process uses the device: work starts when it is ready
    bool prompt_device = false;                ///< the device answers launches in its usual time
    bool in_sequence = false;                  ///< work waits for the communication that was launched before it
    std::optional<DurationNs> queue_gap = {};  ///< the longest pause before work that was queued behind other work
    std::function<DurationNs(const ReplayEvent&)> length = {};  ///< length of device work; empty: as recorded
    /// From the launch to the start if nothing else delays it; empty: ReplayEvent::latency_ns.
    std::function<DurationNs(const ReplayEvent&)> latency = {};
    std::function<bool(const ReplayEvent&)> removed = {};  ///< device work that is left out; empty: none
    /// Host time that gets shorter: allocator calls, slow code, the launches of removed work. In any order; where two
    /// overlap, the one that leaves less time counts.
    std::vector<HostChange> host = {};
    /// Host time outside of waits takes this many times as long, for example because other processes keep the cores and
    /// the memory busy; at least 1.
    double host_pace = 1.0;
};

/// Both changes together. A length or latency that both change is the shorter of the two; of the costs of a change
/// (pace, hand-over of a batch) the larger one counts.
[[nodiscard]] ReplayChange joined(ReplayChange a, const ReplayChange& b);

/// The simulated steps, on the rank's own clock; as RankFacts::steps. Without a change they are the measured steps.
[[nodiscard]] std::vector<TimeSpan> replay(const ReplayModel& model, const ReplayChange& change);

/// The result of a replay of one rank.
struct ReplayedRank {
    std::vector<TimeSpan> steps;  ///< as replay() has them
    std::vector<TimeSpan> work;   ///< parallel to ReplayModel::events: when each ran; an empty span for work that is
                                  ///< left out
    HostTimeWarp host{1.0};       ///< where each host instant went
};
/// The same as replay(), with the work.
[[nodiscard]] ReplayedRank replayWork(const ReplayModel& model, const ReplayChange& change);

}  // namespace rankscope
