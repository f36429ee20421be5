// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/trace/rank_trace.h"

namespace rankscope {

/// Those of `calls` whose names are of calls that put work on a stream: without a device record for them, that record
/// was lost. Each name is looked at once.
[[nodiscard]] std::vector<SliceRef> launchingCalls(const std::vector<SliceRef>& calls, const RankTrace& trace);

/// How many of `calls`, sorted, launched nothing.
[[nodiscard]] std::uint64_t countUnlinked(const std::vector<SliceRef>& calls, std::span<const Launch> launches);

/// How many pieces of device work there are on the streams of a trace.
[[nodiscard]] std::size_t countDeviceWork(const RankTrace& trace);

/// How many pieces of device work start before their launch call does.
[[nodiscard]] std::uint64_t countEarlyKernels(const RankTrace& trace);

}  // namespace rankscope
