// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/slice_table.h"

namespace rankscope {

/// The self time of a slice: the part of it that no slice directly inside it covers. What several slices inside it
/// cover together, where they partly overlap, counts once. Linear in the slices inside it, however deep.
[[nodiscard]] DurationNs selfTime(const SliceTable& slices, SliceIndex slice);

}  // namespace rankscope
