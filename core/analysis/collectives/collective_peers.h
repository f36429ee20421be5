// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/collectives/collectives.h"

namespace rankscope {

/// Finds collectives that are slow beside their peers: collectives of the same kind, group, data type and nearly the
/// same size (of bytes within a fifth), at least five of them. What is usual is the median of their times for a byte.
/// Slow is more than twice that, by more than three robust standard deviations (1.4826 x the median absolute
/// deviation). Fills Collective::baseline_transfer_ns of the slow ones; linear but for sorting.
void findSlowCollectives(CollectiveFacts& facts);

}  // namespace rankscope
