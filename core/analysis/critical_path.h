// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/stages.h"

namespace rankscope {

/// Where the time of the steps went along the critical path, for each rank: from the end of its last step back to the
/// start of the first. Where its device waited in a collective for another rank, the path goes on there, from when that
/// rank arrived: all that made it late is on the path, whenever it was. Only steps that are complete and steady count,
/// of whichever rank the path is on.
///
/// A wait that did not last until its collective began (work of the rank itself came first) does not turn the path; it
/// counts as what the other rank did meanwhile (RankStep::waits). As ExplainedRun::ranks; empty without such steps.
/// It needs no clock. O(n) in the slices of all ranks: where paths meet they go on as one.
[[nodiscard]] std::vector<PathTimes> criticalPaths(const ExplainedRun& explained, const CollectiveFacts& collectives);

}  // namespace rankscope
