// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/rank_context.h"

namespace rankscope {

/// Phases, operators and kernels of all ranks, as Run::ranks, on up to `threads` threads. What is said of a step is
/// said of the steady-state ones.
[[nodiscard]] std::vector<RankTables> tabulateRanks(std::span<const RankContext> work,
                                                    std::span<const ExplainedRank> ranks, std::size_t threads);

}  // namespace rankscope
