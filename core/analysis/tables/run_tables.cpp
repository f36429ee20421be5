// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/tables/run_tables.h"

#include "core/base/parallel.h"

namespace rankscope {

std::vector<RankTables> tabulateRanks(std::span<const RankContext> work, std::span<const ExplainedRank> ranks,
                                      std::size_t threads) {
    std::vector<RankTables> tables(ranks.size());
    // Three jobs a rank, so that a single rank keeps more than one thread busy.
    forEachIndex(3 * ranks.size(), threads, [&](std::size_t job) {
        const std::size_t r = job / 3;
        switch (job % 3) {
            case 0: tables[r].operators = tabulateOperators(work[r], ranks[r]); break;
            case 1: tables[r].phases = measurePhases(work[r], ranks[r]); break;
            default: tables[r].kernels = tabulateKernels(work[r], ranks[r]); break;
        }
    });
    return tables;
}

}  // namespace rankscope
