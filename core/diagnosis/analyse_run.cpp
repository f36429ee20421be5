// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "core/analysis/run_facts.h"
#include "core/base/format.h"
#include "core/diagnosis/analysed_run.h"
#include "core/diagnosis/attribution.h"
#include "core/diagnosis/lateness.h"
#include "core/diagnosis/rule.h"

namespace rankscope {
namespace {

/// From what has a name to what is left over: the order in which savings are attributed. A thread that stands still
/// comes before all that it may stand in; then what a few long steps do that others do not, which would else be shared
/// out among all that follows: an evaluation among syncs and launches, a checkpoint among copies.
constexpr std::initializer_list<Rule> kRulesBeforeLongSteps = {hostStalls, dataloaderStalls};
constexpr std::initializer_list<Rule> kRules = {
    sharedDevices,  unusedParameterSearches, gradientCopies,  unpinnedCopies,
    hostSyncs,      allocatorStalls,         slowCollectives, smallBuckets,
    largeBuckets,   exposedCommunication,    hostCode,        launchBound,
    unexplainedIdle};

/// What has no price, or needs none.
constexpr auto kUnpriced = {findMemoryPressure, findTraceHealth, priceDdp, listWhatCannotBeTold};

/// " Once ... is fixed, it saves only ...": how much of a saving others save too, or hide.
std::string overlapText(const Sentences& say, const Finding& finding, const std::vector<Finding>& all) {
    if (!finding.overlap) {
        return {};
    }
    const Overlap& overlap = *finding.overlap;
    const auto other = std::ranges::find(all, overlap.with, &Finding::id);
    const std::string with = other == all.end() ? overlap.with : other->title;
    const std::string after = formatDuration(overlap.after_ns);
    if (finding.saving_ns == overlap.after_ns) {
        return say.fill("common.overlap-counted", {{"alone", formatDuration(overlap.alone_ns)}, {"with", with}});
    }
    return overlap.after_ns > overlap.alone_ns ? say.fill("common.overlap-hidden", {{"with", with}, {"after", after}})
                                               : say.fill("common.overlap-shared", {{"with", with}, {"after", after}});
}

/// Asks all rules. Where `stop` is requested, what is found is of no use.
void judge(const RuleContext& context, const std::stop_token& stop, Diagnosis& diagnosis) {
    // Ranks that are late because of their DataLoader come before the DataLoader itself, all others after what names
    // the reason (see Attribution).
    std::vector<LateRanks> late;
    for (auto* const find : {stragglerRanks, movingStragglers}) {
        if (std::optional<LateRanks> found = find(context)) {
            late.push_back(*std::move(found));
        }
    }
    const auto judge_late = [&](bool by_loader) {
        for (const LateRanks& ranks : late) {
            if ((ranks.cause.because == LateBecause::DataLoader) == by_loader && !stop.stop_requested()) {
                judgeLateness(context, ranks, diagnosis);
            }
        }
    };
    const auto judge_all = [&](std::initializer_list<Rule> rules) {
        for (const Rule rule : rules) {
            for (const Problem& problem : stop.stop_requested() ? std::vector<Problem>() : rule(context)) {
                judgeProblem(context, problem, diagnosis);
            }
        }
    };
    judge_late(true);
    judge_all(kRulesBeforeLongSteps);
    if (!stop.stop_requested()) {
        judgeStepSpikes(context, diagnosis);
    }
    judge_all(kRules);
    judge_late(false);
    for (auto* const find : kUnpriced) {
        if (!stop.stop_requested()) {
            find(context, diagnosis);
        }
    }
}

Diagnosis diagnose(const Run& run, const AnalysisResult& analysed, unsigned threads, const std::stop_token& stop) {
    const Pricer pricer(analysed.facts, analysed.clock, analysed.model, stop);
    static const Advice advice = Advice::builtIn();  // parsed once
    Attribution attribution(pricer, analysed.facts, threads);
    const Sentences say = Sentences::builtIn().with("typical", std::string(stepBasisName(analysed.facts.basis)));
    const RuleContext context{run, analysed.facts, analysed.clock, analysed.work, pricer, attribution, advice, say};
    Diagnosis diagnosis;
    diagnosis.prices = pricer.coverage();
    judge(context, stop, diagnosis);
    for (Finding& finding : diagnosis.findings) {
        finding.why += overlapText(context.sentences, finding, diagnosis.findings);
    }
    std::ranges::stable_sort(diagnosis.findings, std::greater<>(), &Finding::saving_ns);
    return diagnosis;
}

}  // namespace

Result<AnalysedRun> analyseRun(std::shared_ptr<const Run> run, const AnalysisOptions& options,
                               const ProgressSink& progress, std::stop_token stop) {
    AnalysedRun result;
    const ClockOptions clock{.file_times = options.file_clocks, .typed_offset_ns = options.typed_offset_ns};
    Result<AnalysisResult> analysed = analyseFacts(*run, options.rules, clock, options.threads, progress, stop);
    if (analysed.failed()) {
        return analysed.error();
    }
    if (analysed.cancelled()) {
        return Cancelled{};
    }
    result.diagnosis = diagnose(*run, analysed.value(), options.threads, stop);
    if (stop.stop_requested()) {
        return Cancelled{};
    }
    result.facts = std::move(analysed.value().facts);
    result.clock = std::move(analysed.value().clock);
    result.run = std::move(run);
    return result;
}

}  // namespace rankscope
