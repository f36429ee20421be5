// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/rank_context.h"
#include "core/analysis/replay/replay_model.h"

namespace rankscope {

/// When the host told a stream to wait for communication: the starts of its `cudaStreamWaitEvent` calls (and ROCm's)
/// outside of collectives, sorted. Inside of one the call makes the collective wait for computation.
[[nodiscard]] std::vector<TimeNs> waitsForCommunication(const RankContext& work);

/// Lets computation come after communication that it was told to wait for, although that was over by then: the first
/// that is launched after such a call comes after the communication that was launched last before the call and had
/// ended when it started. `events` are in order of launch.
void orderBehindCommunication(const std::vector<TimeNs>& waits, std::vector<ReplayEvent>& events);

}  // namespace rankscope
