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

// The facts of a run are computed in stages: rank facts > matched > aligned > explained > ledger. Each stage has a
// result of its own type, computed once and never changed: it reads earlier stages, and no stage writes into an earlier
// one. All lists of ranks are in the order of Run::ranks. Each function uses up to `threads` threads.

/// What one rank shows by itself, with the data it was computed from.
struct AnalysedRank {
    RankContext work;
    MeasuredRank facts;
};

/// The facts that one rank shows alone: classes, device time, steps, partitions, stalls of its host threads, gaps with
/// their causes. The steps are explained on `threads` threads.
[[nodiscard]] AnalysedRank analyseRank(std::shared_ptr<const RankTrace> trace, const NameRules& rules,
                                       std::size_t threads = 1);

/// Stage 1: what each rank shows by itself. One exception: whether a host thread stalled is judged by how long the same
/// code usually takes on all ranks. So the ranks are read first, then the stalls are found
/// (core/analysis/gaps/host_stalls.h), then gaps get their causes.
struct MeasuredRun {
    std::vector<RankContext> work;    ///< what the rank facts were computed from, for later stages
    std::vector<MeasuredRank> ranks;  ///< the rank facts
};
/// Fewer ranks than the run has if `stop` was requested.
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
/// and each wait with what the last rank to arrive did at that time.
struct ExplainedRun {
    std::vector<ExposedCommunication> exposed;
    std::vector<ExplainedRank> ranks;
};
/// Takes over the rank facts: an explained rank contains them.
[[nodiscard]] ExplainedRun explainRun(const std::vector<RankContext>& work, std::vector<MeasuredRank> measured,
                                      const AlignedRun& aligned, std::size_t threads);

/// Stage 5: every nanosecond of a rank's step with its owner. By rank, as RankFacts::steps; no steps for a rank without
/// device work.
using RunLedger = std::vector<std::vector<StepLedger>>;
[[nodiscard]] RunLedger makeRunLedger(const std::vector<RankContext>& work, const ExplainedRun& explained,
                                      const AlignedRun& aligned, std::size_t threads);

}  // namespace rankscope
