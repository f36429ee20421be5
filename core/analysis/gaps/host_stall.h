// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <span>
#include <utility>

#include "core/base/ids.h"
#include "core/base/time.h"

namespace rankscope {

/// A stretch in which a host thread made no progress, although the same code takes a small part of that time elsewhere:
/// other threads had the cores, or something blocked it.
struct HostStall {
    TrackId track;                ///< the thread
    SliceIndex slice = kNoSlice;  ///< its innermost slice; kNoSlice between two slices with nothing around them
    TimeSpan span;                ///< on the rank's file clock; the thread recorded nothing new in it
    DurationNs baseline_ns = 0;   ///< the usual time for this: the median over all ranks; below a tenth of `span`
};

/// The stall of `track` that contains the instant; nullptr if none does. `stalls` are those of one rank, by thread and
/// start. O(log n).
[[nodiscard]] inline const HostStall* stallAt(std::span<const HostStall> stalls, TrackId track, TimeNs at_ns) {
    const auto after = std::ranges::upper_bound(stalls, std::pair(track, at_ns), {}, [](const HostStall& stall) {
        return std::pair(stall.track, stall.span.start_ns);
    });
    if (after == stalls.begin() || (after - 1)->track != track || at_ns >= (after - 1)->span.end_ns) {
        return nullptr;
    }
    return &*(after - 1);
}

}  // namespace rankscope
