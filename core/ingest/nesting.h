// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/slice_table.h"

namespace rankscope {

/// Fills parent and depth of a sorted table of a host thread, where slices are calls inside calls. Slices that partly
/// overlap another are kept on the first free row below the one that encloses them, and flagged. Returns the number of
/// rows; `overlapping` counts the flagged slices.
std::uint16_t nestSlices(SliceTable& slices, std::uint64_t& overlapping);

/// The same for a stream, where one piece of work follows another and none is part of another: whatever overlaps an
/// earlier slice stands on the first free row, and is flagged. No slice has a parent.
std::uint16_t stackSlices(SliceTable& slices, std::uint64_t& overlapping);

}  // namespace rankscope
