// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/pipeline/pipeline.h"
#include "core/analysis/pipeline/pipeline_ranks.h"
#include "core/clock/run_clock.h"

namespace rankscope {

/// What the bubble of one rank is measured in, on its file clock.
struct RankStretch {
    RankPosition rank;
    TimeSpan step;  ///< RankStep::span
    const RankExchanges* exchanges = nullptr;
};

/// Fills in window, bubble, steady state and times of all ranks of a step whose passes are known. `stretches` are as
/// PipelineStep::ranks. What a pass waits for is the pass of the stage before, of a backward that of the stage after,
/// on the run's clock; where stages are not known, or that rank was not recorded, none of its bubble is hand-over. Nor
/// is what a rank waits in its own send or receive for a partner that is in a pass, and comes when that has ended.
void measureBubble(const RunClock& clock, const std::vector<RankStretch>& stretches, std::int32_t stages,
                   PipelineStep& step);

}  // namespace rankscope
