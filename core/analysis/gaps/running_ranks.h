// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

/// Times in which a host thread of one rank stalls, on a clock that all ranks of its host share. In any order; they may
/// overlap.
using RankPauses = std::vector<TimeSpan>;

/// From an instant on this many ranks run, until the next change.
struct RunningRanks {
    TimeNs at_ns = 0;
    std::uint32_t running = 0;
    friend bool operator==(const RunningRanks&, const RunningRanks&) = default;
};

/// How many ranks of one host run at once: a rank runs while none of its host threads stalls. `ranks` has one entry for
/// each. The first change is at the start of `window`, all are in it, and each has another number than the one
/// before. Empty for an empty window. O(n log n) in the pauses.
[[nodiscard]] std::vector<RunningRanks> runningRanks(std::span<const RankPauses> ranks, const TimeSpan& window);

}  // namespace rankscope
