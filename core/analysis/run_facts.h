// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/name_rules.h"
#include "core/analysis/rank_work.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/clock/run_clock.h"
#include "core/trace/run.h"

namespace rankscope {

/// The facts of a run, and what the diagnosis needs beside them for its replays.
struct FactsAndWork {
    RunFacts facts;
    std::vector<RankWork> work;  ///< as Run::ranks
};

/// Computes all facts, the ranks on `threads` threads (0: one for each core).
[[nodiscard]] Result<FactsAndWork> analyseFacts(const Run& run, const RunClock& clock, const NameRules& rules,
                                                unsigned threads, const ProgressSink& progress, std::stop_token stop);

}  // namespace rankscope
