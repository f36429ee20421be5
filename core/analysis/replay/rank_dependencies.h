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
    std::uint32_t event = 0;  ///< the work that it launched: an index into the device work by launch
    /// The work whose end made room: of the work launched that long before, the last to end during the call.
    std::uint32_t released_by = 0;
};

/// The launch calls of a rank that waited for room in the queue, by launch. `launched` is its device work in order of
/// launch, which the indices refer to; `beside` is other work, also in order of launch, that takes room too.
///
/// CUDA queues 1024 launches per channel, fewer if their parameters are large, and the traces do not show what a queue
/// contains. So a call counts as blocked if it takes over 20 us (3 to 10 are usual), begins before the work launched
/// 256 launches earlier is done, and work as old as that ends during the call. Its time is not host work: with a faster
/// device it would be shorter.
[[nodiscard]] std::vector<BlockedLaunch> findBlockedLaunches(std::span<const DeviceEvent* const> launched,
                                                             std::span<const DeviceEvent> beside);

/// When the host made a stream wait for communication: the starts of its `cudaStreamWaitEvent` calls (and ROCm's)
/// outside collectives, sorted. Inside a collective the call makes the collective wait for computation.
[[nodiscard]] std::vector<TimeNs> waitsForCommunication(const RankContext& work);

/// Orders computation after communication that a call made it wait for, although that had already ended. The first work
/// launched after such a call comes after the last communication that was launched before the call and had ended when
/// the work started, with a tolerance of `slack_ns`, the resolution of the file's times. `events` are in order of
/// launch.
void orderBehindCommunication(const std::vector<TimeNs>& waits, DurationNs slack_ns, std::vector<ReplayEvent>& events);

}  // namespace rankscope
