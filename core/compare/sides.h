// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/compare/recordings.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// The recordings of one side, in the order given. Not empty, and no pointer is null.
using SideRuns = std::vector<const AnalysedRun*>;

/// One side of a comparison: recordings of one program, each a separate start.
struct ComparedSide {
    std::vector<Recording> recordings;  ///< in the order of the runs given
    std::size_t shown = 0;  ///< the recording with the median step: its parts, findings and kernels are compared
    std::vector<std::string> notes;  ///< differences to the first recording that counts, one sentence each
};

/// Decides which recordings count. Not counted: a forecast, a copy of another recording, fewer than kFewestSteps
/// complete, steady-state steps, and steps that cannot be compared with the first recording that counts. If none
/// counts, the first is shown. Linear in recordings; each takes a whatDiffers().
[[nodiscard]] ComparedSide sideOf(const SideRuns& runs);

}  // namespace rankscope
