// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

#include "core/analysis/facts.h"
#include "core/analysis/rank_work.h"

namespace rankscope {

/// Fills phases, operators and kernels of all ranks, on up to `threads` threads. Outliers must be marked already: what
/// is said of a step is said of the ordinary ones.
void fillTables(std::span<const RankWork> work, std::size_t threads, RunFacts& facts);

}  // namespace rankscope
