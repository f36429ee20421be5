// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/analysis/critical_path.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::test {

/// What the paths of a run hold together.
struct PathCounts {
    std::size_t stretches = 0;
    std::size_t turns = 0;
    std::size_t working = 0;  ///< stretches in which a device works
    std::size_t named = 0;    ///< those of them that name a slice
};

/// Asserts what must hold for every critical path: the stretches of all steady steps add up to RankFacts::path on each
/// rank, those of each step follow one another without a hole, are turned by the member that arrived last, lie on the
/// ranks that they name, and so do their slices; sums by part and by rank are the sum of the stretches.
PathCounts checkCriticalPaths(const AnalysedRun& run);

}  // namespace rankscope::test
