// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/check/protocol.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/steps/step_spread.h"
#include "core/base/format.h"
#include "core/compare/compare_runs.h"
#include "core/report/check/check_limits.h"
#include "core/report/reports.h"
#include "core/report/words/summary.h"

namespace rankscope::report {
namespace {

/// The input of the five steps.
struct ProtocolContext {
    const AnalysedRun& run;
    Sentences words;
    StepSamples samples;
    std::optional<DurationNs> significant_ns;
};

ProtocolStep makeStep(const ProtocolContext& context, ProtocolStage stage, ProtocolState state,
                      Sentences::Values values, std::string_view variant = {}) {
    const std::string id(protocolStageName(stage));
    ProtocolStep step;
    step.stage = stage;
    step.state = state;
    step.title = context.words.fill(id + ".title", {});
    std::string sentence = id + "." + std::string(protocolStateName(state));
    if (!variant.empty()) {
        sentence += "-" + std::string(variant);
    }
    step.text = context.words.fillFrom(sentence, values);
    if (state == ProtocolState::Record) {
        step.record = context.words.fillFrom(id + ".how", values);
    }
    return step;
}

/// `before` is the run that this one is compared with; nullptr: none.
ProtocolStep baseline(const ProtocolContext& context, const AnalysedRun* before) {
    const RunFacts& facts = context.run.facts;
    const std::size_t samples = context.samples.steps.size();
    const StepSpread spread = stepSpread(facts);
    const double width = spread.median_ns > 0
                             ? static_cast<double>(spread.upper_quartile_ns - spread.lower_quartile_ns) /
                                   static_cast<double>(spread.median_ns)
                             : 0;
    const bool few = samples < kFewSteps;
    return makeStep(context, ProtocolStage::Baseline, few ? ProtocolState::Record : ProtocolState::Done,
                    {{"before", before != nullptr ? before->run->name : std::string()},
                     {"steps", formatCounted(samples, "step")},
                     {"fewest", formatCount(kFewSteps)},
                     {"typical", std::string(stepBasisName(facts.basis))},
                     {"step", formatDuration(facts.pricedStep())},
                     {"lower", formatDuration(spread.lower_quartile_ns)},
                     {"upper", formatDuration(spread.upper_quartile_ns)},
                     {"spread", formatPercent(width)}},
                    before != nullptr && !few ? "later" : std::string_view());
}

ProtocolStep category(const ProtocolContext& context) {
    const Headline& headline = context.run.diagnosis.headline;
    return makeStep(context, ProtocolStage::Category, headline.known ? ProtocolState::Done : ProtocolState::Record,
                    {{"title", headline.title}, {"text", headline.text}});
}

/// The finding to begin with; nullptr if there is none.
const Finding* firstFinding(const AnalysedRun& run) {
    const std::vector<Finding>& findings = run.diagnosis.findings;
    return findings.empty() ? nullptr : &findings.front();
}

/// The index of a finding among those of the run.
std::size_t placeAmong(const AnalysedRun& run, const Finding& finding) {
    return static_cast<std::size_t>(&finding - run.diagnosis.findings.data());
}

ProtocolStep detail(const ProtocolContext& context) {
    if (context.run.facts.pricedStep() <= 0) {
        return makeStep(context, ProtocolStage::Detail, ProtocolState::Record, {});
    }
    const Finding* const first = firstFinding(context.run);
    if (first == nullptr) {
        const std::optional<double> bubble = unpricedBubble(context.run);
        return bubble ? makeStep(context, ProtocolStage::Detail, ProtocolState::Done,
                                 {{"bubble", formatPercent(*bubble)}}, "none-priced")
                      : makeStep(context, ProtocolStage::Detail, ProtocolState::Done, {}, "none");
    }
    // A higher upper bound may still be the place to look.
    const Finding& most = *std::ranges::max_element(context.run.diagnosis.findings, {}, &Finding::share);
    const bool beside = !first->at_most && most.at_most && most.share > first->share;
    ProtocolStep step = makeStep(context, ProtocolStage::Detail, ProtocolState::Done,
                                 {{"title", first->title},
                                  {"other", most.title},
                                  {"most", formatDuration(most.saving_ns)},
                                  {"most_share", formatPercent(most.share)},
                                  {"saves", formatDuration(first->saving_ns)},
                                  {"share", formatPercent(first->share)},
                                  {"confidence", std::string(confidenceName(first->confidence))},
                                  {"ranks", first->ranks.empty() ? "" : rankList(*context.run.run, first->ranks)}},
                                 first->saving_ns <= 0 ? "unpriced"
                                 : first->at_most      ? "at-most"
                                 : beside              ? "beside"
                                                       : std::string_view());
    step.place.finding = placeAmong(context.run, *first);
    if (beside) {
        step.other_finding = placeAmong(context.run, most);
    }
    return step;
}

/// What was seen, and where: "cudaStreamSynchronize" on rank 3, step 10, 68.7 µs at 90.1 ms on thread 7. With its
/// length, unless the note has it.
std::string namedPlace(const AnalysedRun& run, const Evidence& seen) {
    if (!seen.slice.valid()) {
        return evidencePlace(run, seen);
    }
    const RankTrace& rank = *run.run->ranks[seen.rank];
    const bool told = seen.note.find(formatDuration(rank.span(seen.slice).length())) != std::string::npos;
    return fmt::format("\"{}\" on {}", shortName(rank.name(seen.slice)), evidencePlace(run, seen, !told));
}

ProtocolStep rootCause(const ProtocolContext& context) {
    const Finding* const first = firstFinding(context.run);
    if (context.run.facts.pricedStep() <= 0) {
        return makeStep(context, ProtocolStage::RootCause, ProtocolState::Record, {});
    }
    if (first == nullptr) {
        return makeStep(context, ProtocolStage::RootCause, ProtocolState::Done, {}, "none");
    }
    if (first->evidence.empty()) {
        ProtocolStep step = makeStep(context, ProtocolStage::RootCause, ProtocolState::Record,
                                     {{"title", first->title}}, "no-evidence");
        step.place.finding = placeAmong(context.run, *first);
        return step;
    }
    const Evidence& seen = first->evidence.front();
    ProtocolStep step = makeStep(context, ProtocolStage::RootCause, ProtocolState::Done,
                                 {{"place", namedPlace(context.run, seen)},
                                  {"note", seen.note},
                                  {"places", formatCounted(first->evidence.size(), "place")},
                                  {"summary", first->summary}},
                                 seen.note.empty() ? "unnamed" : std::string_view());
    step.place = {seen.rank, seen.step, seen.slice, placeAmong(context.run, *first)};
    return step;
}

/// The state of a finding of the run in the later run, if known.
std::string changeOf(const RunComparison& comparison, std::size_t finding) {
    const auto at =
        std::ranges::find_if(comparison.findings, [finding](const FindingPair& pair) { return pair.a == finding; });
    return at == comparison.findings.end() ? std::string() : std::string(findingChangeName(at->change));
}

ProtocolStep compared(const ProtocolContext& context, const Validation& validation) {
    const RunComparison& comparison = *validation.comparison;
    const StepVerdict verdict = comparison.answer.verdict;
    const bool seen = verdict != StepVerdict::CannotJudge;
    const bool judged = seen && verdict != StepVerdict::DifferenceOfRecordings;
    const Finding* const first = firstFinding(context.run);
    const std::string change = first != nullptr ? changeOf(comparison, placeAmong(context.run, *first)) : std::string();
    const bool told = seen && !change.empty() && first != nullptr;
    return makeStep(context, ProtocolStage::Validate, judged ? ProtocolState::Done : ProtocolState::Record,
                    {{"after", validation.after->run->name},
                     {"verdict", comparisonVerdict(comparison)},
                     {"title", first != nullptr ? first->title : std::string()},
                     {"change", change}},
                    told ? "finding" : std::string_view());
}

ProtocolStep validate(const ProtocolContext& context, const Validation& validation) {
    if (validation.comparison != nullptr) {
        return compared(context, validation);
    }
    const Finding* const first = firstFinding(context.run);
    const bool advised = first != nullptr && !first->remedies.empty();
    const auto step_ns = static_cast<double>(context.run.facts.pricedStep());
    const DurationNs least_ns = context.significant_ns.value_or(0);
    const double share = step_ns > 0 ? static_cast<double>(least_ns) / step_ns : 0;
    const std::string variant = std::string(advised ? "advised" : "plain") + (context.significant_ns ? "" : "-unknown");
    ProtocolStep step = makeStep(context, ProtocolStage::Validate, ProtocolState::Next,
                                 {{"action", advised ? first->remedies.front().action : std::string()},
                                  {"steps", formatCounted(context.samples.steps.size(), "step")},
                                  {"least", formatDuration(least_ns)},
                                  {"share", formatPercent(share)}},
                                 variant);
    step.command = "rankscope-cli compare BEFORE1 BEFORE2 BEFORE3 --against AFTER1 AFTER2 AFTER3";
    return step;
}

}  // namespace

std::string_view protocolStageName(ProtocolStage stage) {
    switch (stage) {
        case ProtocolStage::Baseline: return "baseline";
        case ProtocolStage::Category: return "category";
        case ProtocolStage::Detail: return "detail";
        case ProtocolStage::RootCause: return "root-cause";
        case ProtocolStage::Validate: break;
    }
    return "validate";
}

std::string_view protocolStateName(ProtocolState state) {
    switch (state) {
        case ProtocolState::Done: return "done";
        case ProtocolState::Next: return "next";
        case ProtocolState::Record: break;
    }
    return "record";
}

std::string_view protocolStateTitle(ProtocolState state) {
    switch (state) {
        case ProtocolState::Done: return "done";
        case ProtocolState::Next: return "next";
        case ProtocolState::Record: break;
    }
    return "to record";
}

Validation validationOf(const ReportInput& input, std::size_t run) {
    const auto at = std::ranges::find(input.comparisons, run, &ComparedRuns::a);
    const auto later = std::ranges::find(input.comparisons, run, &ComparedRuns::b);
    Validation validation;
    if (at != input.comparisons.end()) {
        validation = {.after = input.runs[at->b], .comparison = at->comparison};
    }
    validation.before = later != input.comparisons.end() ? input.runs[later->a] : nullptr;
    return validation;
}

std::optional<DurationNs> leastSignificant(const std::vector<DurationNs>& steps_ns) {
    if (steps_ns.size() < kFewestSteps) {
        return std::nullopt;
    }
    const auto is_faster = [&steps_ns](DurationNs by_ns) {
        std::vector<DurationNs> shorter = steps_ns;
        for (DurationNs& step : shorter) {
            step -= by_ns;
        }
        return differenceOf(steps_ns, shorter).verdict == StepVerdict::Faster;
    };
    DurationNs none_ns = 0;
    DurationNs seen_ns = std::ranges::min(steps_ns) - 1;
    if (seen_ns <= 0 || !is_faster(seen_ns)) {
        return std::nullopt;
    }
    constexpr DurationNs kExact = 1000;  // to a thousandth of the value
    while (seen_ns - none_ns > std::max<DurationNs>(1, seen_ns / kExact)) {
        const DurationNs middle_ns = none_ns + (seen_ns - none_ns) / 2;
        (is_faster(middle_ns) ? seen_ns : none_ns) = middle_ns;
    }
    return seen_ns;
}

Protocol protocolOf(const AnalysedRun& run, const Validation& validation, const Sentences& words) {
    ProtocolContext context{run, wordsFor(run, words), sampleSteps(run.facts), {}};
    context.significant_ns = leastSignificant(context.samples.durations_ns);
    Protocol protocol;
    protocol.significant_ns = context.significant_ns;
    protocol.steps = {baseline(context, validation.before), category(context), detail(context), rootCause(context),
                      validate(context, validation)};
    return protocol;
}

}  // namespace rankscope::report
