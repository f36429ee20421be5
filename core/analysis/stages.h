// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/analysis/collectives/collectives.h"
#include "core/analysis/collectives/exposed_communication.h"
#include "core/analysis/device/name_rules.h"
#include "core/analysis/facts.h"
#include "core/analysis/rank_context.h"
#include "core/base/progress.h"
#include "core/clock/run_clock.h"
#include "core/trace/run.h"

namespace rankscope {

// The facts of a run are made in stages: rank facts > matched > aligned > explained > ledger. Each stage is a result of
// its own type, made once and never changed: it reads the stages before it, and no stage writes into an earlier one.
// All lists of ranks are as Run::ranks. Each function uses up to `threads` threads.

/// What one rank shows by itself, with what it was made from.
struct AnalysedRank {
    RankContext work;
    MeasuredRank facts;
};

/// The facts that one rank shows alone: classes, device time, steps, partitions, stalls of its host threads, gaps with
/// their causes. The steps are explained on `threads` threads.
[[nodiscard]] AnalysedRank analyseRank(std::shared_ptr<const RankTrace> trace, const NameRules& rules,
                                       std::size_t threads = 1);

/// Stage 1: what each rank shows by itself, but for one thing: how long a host thread usually takes for something, and
/// so whether it stalled, is known from all ranks. The ranks are read first, then their host threads' stalls are found
/// (core/analysis/gaps/host_stalls.h), then the gaps of their devices get their causes.
struct MeasuredRun {
    std::vector<RankContext> work;    ///< what the rank facts were made from, for the stages after them
    std::vector<MeasuredRank> ranks;  ///< the rank facts
};
/// Fewer ranks than the run has where `stop` was requested meanwhile.
[[nodiscard]] MeasuredRun measureRun(const Run& run, const NameRules& rules, std::size_t threads,
                                     const ProgressSink& progress, const std::stop_token& stop);

/// Stage 2: the collectives of all ranks, matched over ranks, not yet on one clock.
[[nodiscard]] MatchedCollectives matchRun(const Run& run, const MeasuredRun& measured, std::size_t threads);

/// Stage 3: the run on one clock: its collectives with their transfers and waits, and the steps that its ranks share.
struct AlignedRun {
    RunClock clock;
    CollectiveFacts collectives;
    std::vector<RunStep> steps;
    DurationNs median_step_ns = 0;  ///< over complete, steady-state steps of the run; 0 if there is none
    DurationNs mean_step_ns = 0;    ///< the same steps; 0 if there is none
    StepBasis basis = StepBasis::Median;
    DurationNs recorded_ns = 0;  ///< as RunFacts::recorded_ns
};
[[nodiscard]] AlignedRun alignRun(const Run& run, const MeasuredRun& measured, MatchedCollectives matched,
                                  const ClockOptions& options, std::optional<IterationKind> kind = {});

/// Stage 4: the steps of each rank explained by the other ranks: exposed communication split into transfer and waiting,
/// and each wait with what the rank that arrived last did meanwhile.
struct ExplainedRun {
    std::vector<ExposedCommunication> exposed;
    std::vector<ExplainedRank> ranks;
};
/// Takes the rank facts over, since an explained rank holds them.
[[nodiscard]] ExplainedRun explainRun(const std::vector<RankContext>& work, std::vector<MeasuredRank> measured,
                                      const AlignedRun& aligned, std::size_t threads);

/// Stage 5: every nanosecond of a rank's step with its owner. By rank, as RankFacts::steps; no steps for a rank without
/// device work.
using RunLedger = std::vector<std::vector<StepLedger>>;
[[nodiscard]] RunLedger makeRunLedger(const std::vector<RankContext>& work, const ExplainedRun& explained,
                                      const AlignedRun& aligned, std::size_t threads);

}  // namespace rankscope
