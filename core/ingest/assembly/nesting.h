// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>

#include "core/trace/slice_table.h"

namespace rankscope {

/// The rows of a track's slices.
struct Rows {
    std::uint16_t count = 0;        ///< 1 + greatest depth
    std::uint64_t overlapping = 0;  ///< slices that are flagged because they partly overlap another
    std::uint64_t beyond_last = 0;  ///< slices beyond kMostRows; they share the last row
};

/// Fills parent and depth of a sorted table of a host thread, whose slices are nested calls. Slices that partly overlap
/// another go on the first free row below the one that encloses them, and are flagged. O(n log rows); linear with few
/// rows. A stop ends it early: the table is then half filled.
///
/// If times are rounded, an end may be off by up to `slack_ns` compared with another instant. A slice that ends at most
/// this much after the end of an earlier one is inside it, and one that begins at most this much before that end
/// follows it. If it is so short that both are true, it belongs to what contains most of it. Times do not change: a
/// slice may end up to `slack_ns` after its parent, and begin up to `slack_ns` before the end of the previous one on
/// its row; but on a row, ends are in the order of starts.
Rows nestSlices(SliceTable& slices, DurationNs slack_ns = 0, const std::stop_token& stop = {});

/// The same for a stream, where work is sequential and never nested: a slice that overlaps an earlier one by more than
/// `slack_ns` goes on the first free row, and is flagged. No slice has a parent. O(n log rows).
Rows stackSlices(SliceTable& slices, DurationNs slack_ns = 0, const std::stop_token& stop = {});

}  // namespace rankscope
