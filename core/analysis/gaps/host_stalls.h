// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/analysis/gaps/host_stall.h"
#include "core/analysis/rank_context.h"

namespace rankscope {

/// A stall is longer than this.
inline constexpr DurationNs kLeastStallNs = 1'000'000;
/// And longer than this many times what is usual.
inline constexpr DurationNs kStallFactor = 10;
/// What was seen less often than this over all ranks has no usual length.
inline constexpr std::size_t kLeastCalls = 5;

/// The stalls of the host threads that launch device work or mark the steps, by rank as `work`; of each rank by thread
/// and start, disjoint.
///
/// A thread's time is cut where it records something: each *piece* has one innermost slice, and is between two
/// others (HostPiece). What a piece usually takes is the median of all pieces with this innermost name, and that of all
/// pieces with this name between the same two names, over all ranks, names joined by their text. A stall exceeds both
/// kStallFactor times, and 1 ms. Where either was seen less than kLeastCalls times, it cannot be judged. What keeps no
/// thread busy by itself (Python, named ranges, nothing recorded) may be anything, so there its place must be seen 20
/// times for each stall; of operators and calls 5 times: what comes again and again at its place is work.
/// So is what keeps no thread busy by itself and comes on a rank about once or twice a step at its place.
///
/// Calls that block are no stalls: waits for the device, copies that hold the host, allocators, the DataLoader and what
/// it does, launches into a full queue, collectives and waits on the host, and functions of Python that are written in
/// C, which take what their arguments ask for.
///
/// Linear in the slices, on up to `threads` threads.
[[nodiscard]] std::vector<std::vector<HostStall>> findHostStalls(std::span<const RankContext> work,
                                                                 std::size_t threads);

}  // namespace rankscope
