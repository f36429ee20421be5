// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/run_facts.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "core/analysis/rank_facts.h"
#include "core/analysis/run_steps.h"
#include "core/analysis/run_tables.h"
#include "core/base/parallel.h"

namespace rankscope {
namespace {

/// Analyses all ranks; an entry stays empty where the user has stopped it.
std::vector<std::optional<AnalysedRank>> analyseRanks(const Run& run, const NameRules& rules, unsigned threads,
                                                      const ProgressSink& progress, const std::stop_token& stop) {
    std::vector<std::optional<AnalysedRank>> analysed(run.ranks.size());
    std::atomic<std::size_t> done{0};
    const std::size_t cores = threadCount(threads);
    // Cores that no rank of its own keeps busy help with the steps of the others.
    const std::size_t cores_a_rank = analysed.empty() ? 1 : std::max<std::size_t>(1, cores / analysed.size());
    forEachIndex(analysed.size(), cores, [&](std::size_t r) {
        if (stop.stop_requested()) {
            return;
        }
        analysed[r] = analyseRank(run.ranks[r], rules, cores_a_rank);
        ++done;
        if (progress) {
            progress({.stage = "analysing", .done = done.load(), .total = analysed.size()});
        }
    });
    return analysed;
}

}  // namespace

Result<FactsAndWork> analyseFacts(const Run& run, const RunClock& clock, const NameRules& rules, unsigned threads,
                                  const ProgressSink& progress, std::stop_token stop) {
    std::vector<std::optional<AnalysedRank>> analysed = analyseRanks(run, rules, threads, progress, stop);
    if (stop.stop_requested()) {
        return Cancelled{};
    }
    FactsAndWork result;
    for (std::uint32_t r = 0; r < analysed.size(); ++r) {
        for (LedgerEntry& entry : analysed[r]->ledger) {
            entry.rank = r;
            result.facts.ledger.push_back(std::move(entry));
        }
        result.facts.ranks.push_back(std::move(analysed[r]->facts));
        result.work.push_back(std::move(analysed[r]->work));
    }
    result.facts.steps = pairSteps(result.facts.ranks, clock);
    std::vector<DurationNs> ordinary;
    for (const RunStep& step : result.facts.steps) {
        if (isOrdinary(step)) {
            ordinary.push_back(step.duration_ns);
        }
    }
    result.facts.median_step_ns = medianOf(std::move(ordinary));
    fillTables(result.work, threadCount(threads), result.facts);
    result.facts.verdict = judgeRun(result.facts.ranks);
    return result;
}

}  // namespace rankscope
