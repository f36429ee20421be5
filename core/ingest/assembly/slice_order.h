// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <vector>

#include "core/trace/slice_table.h"

namespace rankscope {

/// The order of a table by start, longest first, place in the file. Files are made of a few sorted runs, which are
/// merged; so this costs little more than one pass. A stop ends it early, with any order.
[[nodiscard]] std::vector<SliceIndex> sliceOrder(const SliceTable& slices, const std::stop_token& stop = {});

/// Brings start, end, source, name, category and flag into `order`; parent and depth are not yet there.
void reorder(SliceTable& slices, const std::vector<SliceIndex>& order);

}  // namespace rankscope
