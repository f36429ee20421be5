// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/run_facts.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <optional>
#include <utility>

#include "core/analysis/collective_calls.h"
#include "core/analysis/collective_peers.h"
#include "core/analysis/exposed_communication.h"
#include "core/analysis/ledger.h"
#include "core/analysis/match_collectives.h"
#include "core/analysis/own_time.h"
#include "core/analysis/partition.h"
#include "core/analysis/rank_facts.h"
#include "core/analysis/run_steps.h"
#include "core/analysis/run_tables.h"
#include "core/analysis/transfer_fit.h"
#include "core/analysis/waits.h"
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

/// Collectives of all ranks, matched but not timed.
CollectiveFacts findCollectives(const Run& run, const std::vector<RankWork>& work, std::size_t threads) {
    std::vector<std::vector<CollectiveCall>> calls(work.size());
    forEachIndex(work.size(), threads, [&](std::size_t r) { calls[r] = collectCalls(work[r]); });
    return matchCollectives(run, std::move(calls));
}

/// The split of exposed communication, what was waited for, and the ledger that follows.
void explainWaits(FactsAndWork& result, std::size_t threads) {
    RunFacts& facts = result.facts;
    const std::vector<std::vector<OwnPart>> parts = partsOfRanks(facts.collectives, facts.ranks.size());
    std::vector<ExposedCommunication> exposed(facts.ranks.size());
    forEachIndex(exposed.size(), threads,
                 [&](std::size_t r) { exposed[r] = splitExposed(parts[r], result.work[r].device, facts.collectives); });
    const WaitExplainer waits(facts.ranks, result.work, exposed, facts.collectives);
    std::vector<std::vector<LedgerEntry>> ledgers(facts.ranks.size());
    forEachIndex(ledgers.size(), threads, [&](std::size_t r) {
        const auto rank = static_cast<std::uint32_t>(r);
        const Partitioner partitioner(result.work[r].device);
        const LedgerSource source{.work = result.work[r],
                                  .rank = rank,
                                  .partitioner = partitioner,
                                  .exposed = exposed[r],
                                  .collectives = facts.collectives};
        std::vector<RankStep>& steps = facts.ranks[r].steps;
        for (std::uint32_t s = 0; s < steps.size() && facts.ranks[r].device >= 0; ++s) {
            splitPartition(exposed[r], steps[s].span, *steps[s].partition);
            steps[s].waits = waits.waitsIn(rank, steps[s].span);
            steps[s].wait_causes = sumWaits(steps[s].waits);
            std::ranges::move(makeLedger(source, steps[s], s), std::back_inserter(ledgers[r]));
        }
    });
    for (std::vector<LedgerEntry>& ledger : ledgers) {
        std::ranges::move(ledger, std::back_inserter(facts.ledger));
    }
}

DurationNs medianStep(const std::vector<RunStep>& steps) {
    std::vector<DurationNs> ordinary;
    for (const RunStep& step : steps) {
        if (isOrdinary(step)) {
            ordinary.push_back(step.duration_ns);
        }
    }
    return medianOf(std::move(ordinary));
}

}  // namespace

Result<FactsAndWork> analyseFacts(const Run& run, const NameRules& rules, const ClockOptions& clock, unsigned threads,
                                  const ProgressSink& progress, std::stop_token stop) {
    std::vector<std::optional<AnalysedRank>> analysed = analyseRanks(run, rules, threads, progress, stop);
    if (stop.stop_requested()) {
        return Cancelled{};
    }
    FactsAndWork result;
    for (std::optional<AnalysedRank>& rank : analysed) {
        result.facts.ranks.push_back(std::move(rank->facts));
        result.work.push_back(std::move(rank->work));
    }
    const std::size_t cores = threadCount(threads);
    result.facts.collectives = findCollectives(run, result.work, cores);
    result.clock = alignClocks(run, clockMatches(result.facts.collectives), clock);
    timeCollectives(result.facts.collectives, result.clock);
    findSlowCollectives(result.facts.collectives);
    result.facts.collectives.fits = fitTransfers(result.facts.collectives.collectives);
    explainWaits(result, cores);
    result.facts.steps = pairSteps(result.facts.ranks, result.clock);
    result.facts.median_step_ns = medianStep(result.facts.steps);
    result.model = makeRunReplayModel(result.work, result.facts.collectives, result.clock, cores);
    result.facts.stragglers = findStragglerFacts(result.facts, result.model);
    fillTables(result.work, cores, result.facts);
    result.facts.verdict = judgeRun(result.facts.ranks);
    return result;
}

}  // namespace rankscope
