// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/compare/recordings.h"
#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope {

/// The recordings of one side, in the order given: neither empty nor null.
using SideRuns = std::vector<const AnalysedRun*>;

/// One side of a comparison: recordings of one program, each from a start of its own.
struct ComparedSide {
    std::vector<Recording> recordings;  ///< as the runs given
    std::size_t shown = 0;              ///< the one whose parts, findings and kernels are compared: the median step
    std::vector<std::string> notes;     ///< in what recordings differ from the first that counts: a sentence each
};

/// Says of each recording whether it counts. A copy of another one is no re-run; one with fewer than kFewestSteps
/// complete, steady-state steps says too little; nor does one count whose steps cannot be compared with those of the
/// first that does. If none counts, the first is shown. Linear in recordings, as whatDiffers() for each.
[[nodiscard]] ComparedSide sideOf(const SideRuns& runs);

}  // namespace rankscope
