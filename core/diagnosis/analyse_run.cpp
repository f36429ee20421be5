// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string>
#include <utility>

#include "core/analysis/run_facts.h"
#include "core/base/format.h"
#include "core/diagnosis/analysed_run.h"
#include "core/diagnosis/claims.h"
#include "core/diagnosis/rules.h"

namespace rankscope {
namespace {

/// From what has a name to what is left over (see Claims).
constexpr auto kRules = {findStragglerRanks,   findMovingStragglers,
                         findDataloaderStalls, findUnusedParameterSearches,
                         findGradientCopies,   findUnpinnedCopies,
                         findHostSyncs,        findAllocatorStalls,
                         findSlowTransfers,    findSmallBuckets,
                         findLargeBuckets,     findExposedCommunication,
                         findHostCode,         findLaunchBound,
                         findUnexplainedIdle,  findMemoryPressure,
                         findTraceHealth,      priceDdp,
                         listWhatCannotBeTold};

/// " Once ... is fixed, it saves only ...": how much of a saving others save too, or hide.
std::string overlapText(const Finding& finding, const std::vector<Finding>& all) {
    if (!finding.overlap) {
        return {};
    }
    const Overlap& overlap = *finding.overlap;
    const auto other = std::ranges::find(all, overlap.with, &Finding::id);
    const std::string with = "\"" + (other == all.end() ? overlap.with : other->title) + "\"";
    const std::string after = formatDuration(overlap.after_ns);
    if (finding.saving_ns == overlap.after_ns) {
        return " By itself it would save " + formatDuration(overlap.alone_ns) +
               ", but most of that is saved with other findings too, first of all with " + with +
               ": only what it adds is counted.";
    }
    return overlap.after_ns > overlap.alone_ns
               ? " Once " + with + " is fixed, which hides the rest, it saves " + after + "."
               : " Once " + with + " is fixed, which saves a part of that too, it saves only " + after + " more.";
}

Diagnosis diagnose(const Run& run, const FactsAndWork& analysed, const std::stop_token& stop) {
    const Pricer pricer(analysed.facts, analysed.clock, analysed.model);
    static const Advice advice = Advice::builtIn();  // parsed once
    Claims claims(pricer, analysed.facts);
    const RuleContext context{run, analysed.facts, analysed.work, pricer, claims, advice};
    Diagnosis diagnosis;
    for (const auto rule : kRules) {
        if (!stop.stop_requested()) {
            rule(context, diagnosis);
        }
    }
    settleClaims(diagnosis, analysed.facts.median_step_ns);
    for (Finding& finding : diagnosis.findings) {
        finding.why += overlapText(finding, diagnosis.findings);
    }
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
