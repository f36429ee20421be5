// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "tests/tracegen/machine/job_faults.h"

namespace rankscope::accuracy {

/// A simulated job as it is analysed, and what its fault truly costs.
struct PlantedJob {
    AnalysedRun run;
    double true_ns = 0;  ///< of a step
    double step_ns = 0;
    std::vector<RankPosition> ranks;  ///< that have the fault

    /// The first finding with this id, or nullptr.
    [[nodiscard]] const Finding* finding(FindingId id) const;
    /// The same finding. Throws std::runtime_error where there is none.
    [[nodiscard]] const Finding& found(FindingId id) const;
};

/// Simulates the job without the fault and with it, and analyses the second.
[[nodiscard]] PlantedJob plantIn(tracegen::machine::Config config, const tracegen::machine::PlantedFault& fault);

}  // namespace rankscope::accuracy
