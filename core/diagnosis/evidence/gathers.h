// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>
#include "core/diagnosis/evidence/lateness.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {

/// The copies on the device that unpack gathered parameters, by rank as Run::ranks, sorted: work that does not
/// communicate, launched in the FSDP2 range that launches the gather and names its unit. If gathers are not launched
/// ahead, it is on the compute stream and takes time there. `gathers` in any order; empty for gathers other than
/// FSDP2's, which copy nothing. O(gathers x depth of calls + n log n) in the device work.
[[nodiscard]] std::vector<std::vector<SliceRef>> gatherCopies(const RuleContext& context,
                                                              const std::vector<CollectivePosition>& gathers);

/// Turns `late` into FindingId::ShardGatherLate, with its own words, if ranks delay the others because their CPUs
/// launch the gathers and scatters of shards too late. Conditions: the cause is on the CPU, and most of the exposed
/// wait in such collectives is for these ranks: they arrived last although their GPUs had long been ready. Otherwise
/// `late` stays as it is.
void nameLateGatherers(const RuleContext& context, LateRanks& late);

}  // namespace rankscope
