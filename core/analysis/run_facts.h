// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/facts_options.h"
#include "core/analysis/rank_context.h"
#include "core/analysis/replay/run_replay.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/clock/run_clock.h"
#include "core/trace/run.h"

namespace rankscope {

/// The facts of a run on one clock, and what the diagnosis also needs for its replays.
struct AnalysisResult {
    RunFacts facts;
    RunClock clock;
    std::vector<RankContext> work;  ///< parallel to Run::ranks
    RunReplayModel model;
};

/// Computes all facts, with ranks on several threads: first what each rank shows alone, then the collectives they
/// share, the clock from these, what the ranks waited for, what their groups are for, and how much of the hardware they
/// use.
[[nodiscard]] Result<AnalysisResult> analyseFacts(const Run& run, const FactsOptions& options,
                                                  const ProgressSink& progress, std::stop_token stop);

}  // namespace rankscope
