// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/rank_context.h"

namespace rankscope {

/// Sums the iterations of a run by their kind: from the steps, roles and grid of `facts`, and what each step launched.
/// Nothing where no step is known for an iteration of a server. Linear in steps, ranks and the devices' events.
[[nodiscard]] IterationFacts findIterations(const RunFacts& facts, const std::vector<RankContext>& work);

}  // namespace rankscope
