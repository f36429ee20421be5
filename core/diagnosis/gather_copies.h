// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/diagnosis/rule.h"

namespace rankscope {

/// The copies on the device that put together what gathers send, by rank as Run::ranks, sorted: what is launched in the
/// range of FSDP2 that launches the gather and names its unit, and communicates nothing. Where gathers are not launched
/// ahead it stands on the stream of the computation, and takes its time there. Of `gathers` in any order; of others
/// than FSDP2's, which copy nothing, none. O(gathers x depth of calls + n log n) in the device work.
[[nodiscard]] std::vector<std::vector<SliceRef>> gatherCopies(const RuleContext& context,
                                                              const std::vector<CollectivePosition>& gathers);

}  // namespace rankscope
