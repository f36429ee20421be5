// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "core/analysis/device/name_rules.h"
#include "core/analysis/facts.h"
#include "core/analysis/parallelism/parallelism.h"
#include "core/analysis/rank_context.h"
#include "core/analysis/replay/run_replay.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/clock/run_clock.h"
#include "core/trace/run.h"

namespace rankscope {

/// The facts of a run on one clock, and what the diagnosis needs beside them for its replays.
struct AnalysisResult {
    RunFacts facts;
    RunClock clock;
    std::vector<RankContext> work;  ///< as Run::ranks
    RunReplayModel model;
};

/// Computes all facts, the ranks on `threads` threads (0: one for each core): first what each rank tells alone, then
/// the collectives they share, the clock that these give, what the ranks waited for, and what their groups are for,
/// unless `roles` say it, and how much of the hardware they use. `kind`: which iterations of a server medians and
/// prices are of, if not of those that most time goes to.
[[nodiscard]] Result<AnalysisResult> analyseFacts(const Run& run, const NameRules& rules, const ClockOptions& clock,
                                                  unsigned threads, const ProgressSink& progress, std::stop_token stop,
                                                  const RoleChoices& roles = {}, std::optional<IterationKind> kind = {},
                                                  const EfficiencyOptions& efficiency = {});

}  // namespace rankscope
