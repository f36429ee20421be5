// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/run_facts.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/collectives/segment_times.h"
#include "core/analysis/critical_path.h"
#include "core/analysis/facts.h"
#include "core/analysis/find_facts.h"
#include "core/analysis/rank_context.h"
#include "core/analysis/replay/contention.h"
#include "core/analysis/stages.h"
#include "core/analysis/steps/run_steps.h"
#include "core/analysis/tensor/find_tensor.h"
#include "core/base/parallel.h"

namespace rankscope {
namespace {

/// Phases, operators and kernels of all ranks, as Run::ranks, on up to `threads` threads. Values per step are over the
/// steady-state steps.
std::vector<RankTables> tabulateRanks(std::span<const RankContext> work, std::span<const ExplainedRank> ranks,
                                      std::size_t threads) {
    std::vector<RankTables> tables(ranks.size());
    // Three jobs per rank, so that a single rank uses more than one thread.
    forEachIndex(3 * ranks.size(), threads, [&](std::size_t job) {
        const std::size_t r = job / 3;
        switch (job % 3) {
            case 0: tables[r].operators = tabulateOperators(work[r], ranks[r]); break;
            case 1: tables[r].phases = measurePhases(work[r], ranks[r]); break;
            default: tables[r].kernels = tabulateKernels(work[r], ranks[r]); break;
        }
    });
    return tables;
}

/// The results of the stages, in the one form that diagnosis, reports and panels read.
RunFacts gatherFacts(AlignedRun aligned, std::vector<ExplainedRank> ranks, std::vector<RankTables> tables,
                     const std::vector<PathTimes>& paths, RunLedger ledger, StragglerFacts stragglers) {
    RunFacts facts;
    for (RankPosition r{0}; r < ranks.size(); ++r) {
        facts.ranks.push_back({std::move(ranks[r]), std::move(tables[r]), paths[r]});
    }
    for (std::vector<StepLedger>& rank : ledger) {
        std::vector<std::vector<std::uint32_t>>& entry_of_part = facts.entry_of_part.emplace_back();
        for (StepLedger& step : rank) {
            std::ranges::move(step.entries, std::back_inserter(facts.ledger));
            entry_of_part.push_back(std::move(step.entry_of_part));
        }
    }
    facts.steps = std::move(aligned.steps);
    facts.median_step_ns = aligned.median_step_ns;
    facts.mean_step_ns = aligned.mean_step_ns;
    facts.basis = aligned.basis;
    facts.recorded_ns = aligned.recorded_ns;
    facts.collectives = std::move(aligned.collectives);
    facts.stragglers = std::move(stragglers);
    facts.verdict = judgeRun(facts.ranks);
    facts.verdict.coverage = coverageOf(facts, isSteady);
    return facts;
}

}  // namespace

Result<AnalysisResult> analyseFacts(const Run& run, const FactsOptions& options, const ProgressSink& progress,
                                    std::stop_token stop) {
    const std::size_t cores = threadCount(options.threads);
    MeasuredRun measured = measureRun(run, options.rules, cores, progress, stop);
    if (stop.stop_requested()) {
        return Cancelled{};
    }
    AlignedRun aligned = alignRun(run, measured, matchRun(run, measured, cores), options.clock, options.iterations);
    ExplainedRun explained = explainRun(measured.work, std::move(measured.ranks), aligned, cores);
    RunLedger ledger = makeRunLedger(measured.work, explained, aligned, cores);
    if (stop.stop_requested()) {
        return Cancelled{};
    }
    AnalysisResult result;
    result.model = makeRunReplayModel(measured.work, aligned.collectives, aligned.clock, cores);
    std::optional<double> slowdown;
    if (result.model.coupled) {
        slowdown = measureContention(measured.work, aligned.steps, result.model);
    }
    StragglerFacts stragglers = findStragglerFacts(aligned, explained.ranks, result.model);
    std::vector<RankTables> tables = tabulateRanks(measured.work, explained.ranks, cores);
    const std::vector<PathTimes> paths = criticalPaths(explained, aligned.collectives);
    result.clock = std::move(aligned.clock);
    result.facts = gatherFacts(std::move(aligned), std::move(explained.ranks), std::move(tables), paths,
                               std::move(ledger), std::move(stragglers));
    result.facts.slowdown_beside_waiting = slowdown;
    result.facts.parallelism = findParallelism(run, result.facts, options.roles, cores);
    result.facts.pipeline = findPipelines(run, result.facts, result.clock, measured.work, cores);
    result.facts.experts = findExperts(run, result.facts, cores);
    result.facts.tensor = findTensor(run, result.facts, cores);
    result.facts.iterations = findIterations(result.facts, measured.work);
    result.facts.memory = findMemory(measured.work, result.facts, cores);
    result.facts.memory.model = options.model;
    result.facts.shards = findShards(run, result.facts, measured.work, result.model, cores);
    result.facts.efficiency = measureEfficiency(run, result.facts, measured.work, options);
    if (std::ranges::any_of(run.ranks, [](const auto& rank) { return rank->health.ranks_mixed; })) {
        result.facts.verdict = {
            std::nullopt, "One file contains several ranks that cannot be separated.", std::nullopt, {}};
    }
    result.work = std::move(measured.work);
    return result;
}

}  // namespace rankscope
