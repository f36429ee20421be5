// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "core/analysis/collectives/exposed_communication.h"
#include "core/analysis/facts.h"
#include "core/analysis/parallelism/group_use.h"
#include "core/base/interval_set.h"
#include "core/trace/run.h"

namespace rankscope {

/// The exposed communication of a rank, divided by the collective that owns each instant: disjoint sets that fill it.
/// Of collectives that run at once, the one that ends last owns the instant; of those that end together the one that
/// started first, then the one of the lower group. `parts` are the rank's parts in the collectives. O(n log n) in their
/// kernels.
[[nodiscard]] std::map<CollectivePosition, IntervalSet> exposedByCollective(const RankFacts& rank,
                                                                            const CollectiveFacts& facts,
                                                                            const std::vector<OwnPart>& parts,
                                                                            const RankTrace& trace);

/// Divides RankFacts::exposed_communication by collective, group and role: fills GroupRole::exposed_ns, its counted
/// steps and GroupPart::exposed_ns of the groups of `found`, and its ranks, on up to `threads` threads. Reads
/// ParallelismFacts::of_collectives and, for groups with parts, `signs`, which are in the order of
/// CollectiveFacts::collectives.
void timeRoles(const Run& run, const RunFacts& facts, ParallelismFacts& found, const std::vector<CollectiveSign>& signs,
               std::size_t threads);

}  // namespace rankscope
