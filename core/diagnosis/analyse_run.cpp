// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>

#include "core/analysis/run_facts.h"
#include "core/diagnosis/analysed_run.h"
#include "core/diagnosis/claims.h"
#include "core/diagnosis/rules.h"

namespace rankscope {
namespace {

/// From what has a name to what is left over (see Claims).
constexpr auto kRules = {findStragglerRanks, findMovingStragglers, findDataloaderStalls, findUnusedParameterSearches,
                         findGradientCopies, findUnpinnedCopies,   findHostSyncs,        findAllocatorStalls,
                         findSlowTransfers,  findSmallBuckets,     findLargeBuckets,     findExposedCommunication,
                         findHostCode,       findLaunchBound,      findUnexplainedIdle,  findMemoryPressure,
                         findTraceHealth,    listWhatCannotBeTold};

Diagnosis diagnose(const Run& run, const FactsAndWork& analysed, const std::stop_token& stop) {
    const Pricer pricer(analysed.facts, analysed.clock, analysed.model);
    const Advice advice = Advice::builtIn();
    Claims claims(pricer, analysed.facts);
    const RuleContext context{run, analysed.facts, analysed.work, pricer, claims, advice};
    Diagnosis diagnosis;
    for (const auto rule : kRules) {
        if (!stop.stop_requested()) {
            rule(context, diagnosis);
        }
    }
    settleClaims(diagnosis, analysed.facts.median_step_ns);
    std::ranges::stable_sort(diagnosis.findings, std::greater<>(), &Finding::saving_ns);
    return diagnosis;
}

}  // namespace

Result<AnalysedRun> analyseRun(std::shared_ptr<const Run> run, const AnalysisOptions& options,
                               const ProgressSink& progress, std::stop_token stop) {
    AnalysedRun result;
    const ClockOptions clock{.file_times = options.file_clocks, .typed_offset_ns = options.typed_offset_ns};
    Result<FactsAndWork> analysed = analyseFacts(*run, options.rules, clock, options.threads, progress, stop);
    if (!analysed.ok()) {
        return Cancelled{};
    }
    result.diagnosis = diagnose(*run, analysed.value(), stop);
    if (stop.stop_requested()) {
        return Cancelled{};
    }
    result.facts = std::move(analysed.value().facts);
    result.clock = std::move(analysed.value().clock);
    result.run = std::move(run);
    return result;
}

}  // namespace rankscope
