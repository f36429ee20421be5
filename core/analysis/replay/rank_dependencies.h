// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/device/device_work.h"
#include "core/analysis/rank_context.h"
#include "core/analysis/replay/replay_model.h"

namespace rankscope {

/// A launch call that stalled because the queue of launches was full.
struct BlockedLaunch {
    std::uint32_t event = 0;  ///< the work that it launched: an index
    /// The work whose end made room: of the work that far behind, the last to end in the call.
    std::uint32_t released_by = 0;
};

/// The launch calls of a rank that waited for room in the queue, by launch. `launched` is its device work in order of
/// launch, and what the indices point into; `beside` is work that is not in
/// it, also in order of launch: that takes room too.
///
/// CUDA holds 1024 launches of a channel, fewer if their parameters are large, and the traces do not show what a queue
/// holds. So a call counts as blocked which takes over 20 us, where 3 to 10 are usual, which begins while the work
/// launched 256 before it is not done, and in which work as old as that ends. Its time is no work of the host: with a
/// faster device it would be shorter.
[[nodiscard]] std::vector<BlockedLaunch> findBlockedLaunches(std::span<const DeviceEvent* const> launched,
                                                             std::span<const DeviceEvent> beside);

/// When the host told a stream to wait for communication: the starts of its `cudaStreamWaitEvent` calls (and ROCm's)
/// outside of collectives, sorted. Inside of one the call makes the collective wait for computation.
[[nodiscard]] std::vector<TimeNs> waitsForCommunication(const RankContext& work);

/// Lets computation come after communication that a call made it wait for, although that was over by then. The first
/// work launched after such a call comes after the last communication that was launched before the call and had ended
/// when the work started, with a tolerance of `slack_ns`, the resolution of the file's times. `events` are in order of
/// launch.
void orderBehindCommunication(const std::vector<TimeNs>& waits, DurationNs slack_ns, std::vector<ReplayEvent>& events);

}  // namespace rankscope
