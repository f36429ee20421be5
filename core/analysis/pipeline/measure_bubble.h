// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/pipeline/pipeline.h"
#include "core/analysis/rank_context.h"
#include "core/base/interval_set.h"
#include "core/clock/run_clock.h"

namespace rankscope {

/// What the bubble of one rank is measured in, on its file clock.
struct RankStretch {
    RankPosition rank;
    TimeSpan step;  ///< RankStep::span
    const IntervalSet* work =
        nullptr;  ///< when its device works, without sends and receives, and without waits for others
};

/// Fills in window, bubble, steady state and times of all ranks of a step whose passes are known. `stretches` are as
/// PipelineStep::ranks. What a pass waits for is the pass of the stage before, of a backward that of the stage after,
/// on the run's clock; where stages are not known, or that rank was not recorded, none of its bubble is hand-over.
void measureBubble(const RunClock& clock, const std::vector<RankStretch>& stretches, std::int32_t stages,
                   PipelineStep& step);

}  // namespace rankscope
