// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/collectives/collectives.h"

namespace rankscope {

/// Finds groups that are slower than their sister groups: groups of the same description and size that share no rank,
/// such as the tensor groups of all replicas. It compares all-reduces, all-gathers and reduce-scatters of the same data
/// type and bytes, at least five per group. The baseline is the median over the sister groups of their median
/// transfers. A group is slow if its collectives together take more than 1.5 times the baseline, counting only sizes
/// that differ by more than three robust standard deviations. Fills CollectiveFacts::slow_groups, and
/// Collective::baseline_transfer_ns of the slow collectives. Linear except for sorting.
void findSlowGroups(CollectiveFacts& facts);

}  // namespace rankscope
