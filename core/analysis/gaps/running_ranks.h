// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

/// Times in which a host thread of one rank stalls, on a clock that all ranks of its host share; in any order, possibly
/// overlapping.
using RankPauses = std::vector<TimeSpan>;

/// The number of running ranks from an instant until the next change.
struct RunningRanks {
    TimeNs at_ns = 0;
    std::uint32_t running = 0;
    friend bool operator==(const RunningRanks&, const RunningRanks&) = default;
};

/// How many ranks of one host run at once: a rank runs while none of its host threads stalls. `ranks` has one entry per
/// rank. The first change is at the start of `window`, all changes are inside it, and each differs from the previous
/// one. Empty for an empty window. O(n log n) in the pauses.
[[nodiscard]] std::vector<RunningRanks> runningRanks(std::span<const RankPauses> ranks, const TimeSpan& window);

}  // namespace rankscope
