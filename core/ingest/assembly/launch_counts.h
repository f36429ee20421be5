// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// The calls in `calls` whose names show that they launch work: if there is no device record for them, it was lost.
/// Each name is examined once.
[[nodiscard]] std::vector<SliceRef> launchingCalls(const std::vector<SliceRef>& calls, const RankTrace& trace);

/// The number of `calls`, sorted, that launched nothing.
[[nodiscard]] std::uint64_t countUnlinked(const std::vector<SliceRef>& calls, std::span<const Launch> launches);

/// The number of pieces of device work on the streams of a trace.
[[nodiscard]] std::size_t countDeviceWork(const RankTrace& trace);

/// The number of pieces of device work that start before their launch call.
[[nodiscard]] std::uint64_t countEarlyKernels(const RankTrace& trace);

}  // namespace rankscope
