// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/pipeline/pipeline.h"
#include "core/analysis/pipeline/pipeline_ranks.h"
#include "core/clock/run_clock.h"

namespace rankscope {

/// The time in which the bubble of one rank is measured, on its file clock.
struct RankStretch {
    RankPosition rank;
    TimeSpan step;  ///< RankStep::span
    const RankExchanges* exchanges = nullptr;
};

/// Fills window, bubble, steady state and times of all ranks of a step whose passes are known. `stretches` are in the
/// order of PipelineStep::ranks. A pass waits for the pass of the previous stage, a backward for that of the next
/// stage, on the run's clock. If stages are not known, or that rank was not recorded, none of its bubble is hand-over.
/// The same is true of a rank's wait in its own send or receive for a partner that is in a pass and arrives when that
/// has ended.
void measureBubble(const RunClock& clock, const std::vector<RankStretch>& stretches, std::int32_t stages,
                   PipelineStep& step);

}  // namespace rankscope
