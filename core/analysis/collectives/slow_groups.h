// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/collectives/collectives.h"

namespace rankscope {

/// Finds groups that are slow beside their sisters: groups of the same description and size that share no rank, such as
/// the tensor groups of all replicas. What is compared are all-reduces, all-gathers and reduce-scatters of the same
/// data type and bytes, at least five in a group: what is usual is the median over the sisters of their median
/// transfers. A group is slow if its collectives together take more than 1.5 times that, of which each size counts that
/// is off by more than three robust standard deviations. Fills CollectiveFacts::slow_groups, and
/// Collective::baseline_transfer_ns of what is slow in them. Linear but for sorting.
void findSlowGroups(CollectiveFacts& facts);

}  // namespace rankscope
