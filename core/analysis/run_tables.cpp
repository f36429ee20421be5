// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/run_tables.h"

#include "core/base/parallel.h"

namespace rankscope {

void fillTables(std::span<const RankWork> work, std::size_t threads, RunFacts& facts) {
    // Three jobs a rank, so that a single rank keeps more than one thread busy.
    forEachIndex(3 * work.size(), threads, [&](std::size_t job) {
        const std::size_t r = job / 3;
        RankFacts& rank = facts.ranks[r];
        switch (job % 3) {
            case 0: rank.operators = tabulateOperators(work[r], rank); break;
            case 1: rank.phases = measurePhases(work[r], rank); break;
            default: rank.kernels = tabulateKernels(work[r], rank); break;
        }
    });
}

}  // namespace rankscope
