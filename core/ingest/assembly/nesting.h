// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>

#include "core/trace/slice_table.h"

namespace rankscope {

/// How the slices of a track stand on its rows.
struct Rows {
    std::uint16_t count = 0;        ///< 1 + greatest depth
    std::uint64_t overlapping = 0;  ///< slices that are flagged, since they partly overlap another
    std::uint64_t beyond_last = 0;  ///< slices for which kMostRows were not enough; they share the last row
};

/// Fills parent and depth of a sorted table of a host thread, where slices are calls inside calls. Slices that partly
/// overlap another are kept on the first free row below the one that encloses them, and flagged. O(n log rows); linear
/// where rows are few. A stop ends it early: the table is then half filled.
Rows nestSlices(SliceTable& slices, const std::stop_token& stop = {});

/// The same for a stream, where one piece of work follows another and none is part of another: whatever overlaps an
/// earlier slice stands on the first free row, and is flagged. No slice has a parent. O(n log rows).
Rows stackSlices(SliceTable& slices, const std::stop_token& stop = {});

}  // namespace rankscope
