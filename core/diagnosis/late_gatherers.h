// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/lateness.h"

namespace rankscope {

/// Where ranks hold the others up in the gathers and scatters of divided parameters, since their hosts launch these too
/// late: `late` becomes a finding of that, FindingId::ShardGatherLate, with its own words. It is so where the cause is
/// one of the host, and most of what ranks wait in the open in such collectives is for these ranks, which came last and
/// whose devices had long been ready. What has another cause stays as it is.
void nameLateGatherers(const RuleContext& context, LateRanks& late);

}  // namespace rankscope
