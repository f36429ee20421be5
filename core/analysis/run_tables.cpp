// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/run_tables.h"

#include "core/base/parallel.h"

namespace rankscope {

void fillTables(std::span<const RankWork> work, std::size_t threads, RunFacts& facts) {
    forEachIndex(work.size(), threads,
                 [&](std::size_t r) { facts.ranks[r].phases = measurePhases(work[r], facts.ranks[r]); });
}

}  // namespace rankscope
