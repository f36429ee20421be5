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
/// And longer than this many times the usual time.
inline constexpr DurationNs kStallFactor = 10;
/// Code seen less often than this, over all ranks, has no usual time.
inline constexpr std::size_t kLeastCalls = 5;

/// The stalls of the host threads that launch device work or mark the steps, by rank as `work`; for each rank by thread
/// and start, disjoint.
///
/// A thread's time is cut wherever it records something: each *piece* has one innermost slice, and is between two
/// others (HostPiece). The usual time of a piece has two values, over all ranks, with names joined by their text: the
/// median of all pieces with this innermost name, and the median of all pieces with this name between the same two
/// names. A stall exceeds both kStallFactor times, and kLeastStallNs. If either was seen less often than kLeastCalls
/// times, it cannot be judged. Names that do not keep a thread busy (Python, named ranges, nothing recorded) may do
/// anything, so their place must be seen 20 times per stall; operators and calls 5 times. What recurs at its place is
/// work. So is what does not keep a thread busy and occurs about once or twice per step and rank at its place.
///
/// Calls that block are no stalls: waits for the device, blocking copies, allocators, the DataLoader and what it does,
/// launches into a full queue, collectives and waits on the host, and Python functions written in C, whose time depends
/// on their arguments.
///
/// Linear in the slices, on up to `threads` threads.
[[nodiscard]] std::vector<std::vector<HostStall>> findHostStalls(std::span<const RankContext> work,
                                                                 std::size_t threads);

}  // namespace rankscope
