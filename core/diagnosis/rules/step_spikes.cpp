// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "core/analysis/steps/run_steps.h"
#include "core/base/format.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/evidence/long_steps.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {
namespace step_spikes {
namespace {

constexpr std::size_t kMostEvidence = 8;
constexpr std::size_t kNamedOperators = 3;
/// Anything below this share of a long step is not named.
constexpr double kNameShare = 0.05;

std::vector<std::int64_t> numbersOf(const RuleContext& context, const std::vector<RunStepPosition>& steps) {
    std::vector<std::int64_t> numbers;
    for (const RunStepPosition p : steps) {
        numbers.push_back(context.facts.steps[p].index);
    }
    return numbers;
}

/// "rank 0", "ranks 0 and 3", "all ranks".
std::string ranksText(const RuleContext& context, const std::vector<RankPosition>& ranks) {
    if (ranks.size() > 1 && ranks.size() == context.facts.ranks.size()) {
        return context.sentences.fill("step-spikes.all-ranks", {});
    }
    std::vector<std::int64_t> numbers;
    for (const RankPosition r : ranks) {
        numbers.push_back(context.run.ranks[r]->rank.value_or(RankNumber::standingIn(r)).value);
    }
    return formatNumbered("rank", numbers);
}

std::string namesText(const RuleContext& context, const StepSpikes& spikes) {
    const auto least_ns =
        static_cast<DurationNs>(kNameShare * static_cast<double>(spikes.length_ns - spikes.baseline_ns));
    std::string text;
    std::size_t named = 0;
    for (const OnlyThere::Name& name : spikes.news.names) {
        if (named < kNamedOperators && name.ns >= least_ns * static_cast<DurationNs>(spikes.steps.size())) {
            text +=
                (named++ == 0 ? "" : ", ") +
                context.sentences.fill("step-spikes.name", {{"name", name.name}, {"time", formatDuration(name.ns)}});
        }
    }
    return text.empty() ? text : context.sentences.fill("step-spikes.names", {{"names", text}});
}

std::string titleText(const Sentences& say, SpikeCause cause) {
    switch (cause) {
        case SpikeCause::Checkpoint: return say.fill("step-spikes.title-checkpoint", {});
        case SpikeCause::Evaluation: return say.fill("step-spikes.title-evaluation", {});
        case SpikeCause::DataLoader: return say.fill("step-spikes.title-dataloader", {});
        case SpikeCause::Allocator: return say.fill("step-spikes.title-allocator", {});
        case SpikeCause::Profiler: return say.fill("step-spikes.title-profiler", {});
        case SpikeCause::Collection: return say.fill("step-spikes.title-collection", {});
        case SpikeCause::HostCode: return say.fill("step-spikes.title-host-code", {});
        case SpikeCause::HostPause: break;
    }
    return say.fill("step-spikes.title-host-pause", {});
}

std::string whatText(const RuleContext& context, const StepSpikes& spikes) {
    const Sentences& say = context.sentences;
    const std::string who = ranksText(context, spikes.ranks);
    const std::string time = formatDuration(spikes.cause_ns);
    switch (spikes.cause) {
        case SpikeCause::Checkpoint:
            return spikes.bytes_to_host > 0
                       ? say.fill("step-spikes.checkpoint-copies",
                                  {{"who", who},
                                   {"bytes", formatBytes(static_cast<std::uint64_t>(spikes.bytes_to_host))},
                                   {"time", time}})
                       : say.fill("step-spikes.checkpoint-code", {{"who", who}, {"time", time}});
        case SpikeCause::Evaluation: return say.fill("step-spikes.evaluation", {{"who", who}, {"time", time}});
        case SpikeCause::DataLoader: return say.fill("step-spikes.dataloader", {{"who", who}, {"time", time}});
        case SpikeCause::Allocator: return say.fill("step-spikes.allocator", {{"who", who}, {"time", time}});
        case SpikeCause::Profiler: return say.fill("step-spikes.profiler", {{"who", who}, {"time", time}});
        case SpikeCause::Collection: return say.fill("step-spikes.collection", {{"who", who}, {"time", time}});
        case SpikeCause::HostCode: return say.fill("step-spikes.host-code", {{"who", who}, {"time", time}});
        case SpikeCause::HostPause: break;
    }
    return say.fill("step-spikes.host-pause", {{"who", who}, {"time", time}});
}

std::string whyText(const RuleContext& context, const StepSpikes& spikes, DurationNs saving_ns) {
    const Sentences& say = context.sentences;
    const std::size_t steps = spikes.steps.size();
    std::string regular;
    if (steps == 1) {
        regular = say.fill("step-spikes.once", {});
    } else if (spikes.every && steps > 2) {
        regular =
            say.fill("step-spikes.every", {{"every", countText(static_cast<std::size_t>(*spikes.every), "step")}});
    } else if (spikes.every) {
        regular =
            say.fill("step-spikes.apart", {{"apart", countText(static_cast<std::size_t>(*spikes.every), "step")}});
    }
    return say.fill("step-spikes.why", {{"long", std::to_string(steps)},
                                        {"window", countText(steps + spikes.others.size(), "step")},
                                        {"length", formatDuration(spikes.length_ns)},
                                        {"usual", formatDuration(spikes.baseline_ns)},
                                        {"saving", formatDuration(saving_ns)},
                                        {"regular", regular},
                                        {"what", whatText(context, spikes)},
                                        {"names", namesText(context, spikes)}});
}

/// The slice that says most about a long step. The longest that only long steps have, else what the device waited for
/// longest, else the step's mark.
SliceRef tellingSlice(const RuleContext& context, const StepSpikes& spikes, RankPosition rank, const RankStep& step) {
    const RankTrace& trace = *context.run.ranks[rank];
    if (rank == spikes.ranks.front()) {
        for (const OnlyThere::Name& name : spikes.news.names) {
            if (!intersect(trace.span(name.longest), step.host).empty()) {
                return name.longest;
            }
        }
    }
    if (spikes.cause == SpikeCause::Checkpoint) {
        DurationNs longest_ns = 0;
        SliceRef longest;
        for (const DeviceEvent& event : context.work[rank].device.events) {
            const StringId name = trace.track(event.ref).slices.name[event.ref.slice];
            if (context.work[rank].names.copiesToHost(name) && step.host.contains(event.launched_ns) &&
                event.span.length() > longest_ns) {
                longest_ns = event.span.length();
                longest = event.ref;
            }
        }
        if (longest.valid()) {
            return longest;
        }
    }
    DurationNs longest_ns = 0;
    SliceRef longest;
    for (const Gap& gap : step.gaps) {
        for (const GapPart& part : gap.parts) {
            if (part.span.length() > longest_ns && !part.evidence.empty()) {
                longest_ns = part.span.length();
                longest = part.evidence.front();
            }
        }
    }
    return longest.valid() ? longest : step.mark;
}

std::vector<Evidence> evidenceOfSpikes(const RuleContext& context, const StepSpikes& spikes) {
    std::vector<Evidence> evidence;
    for (const RunStepPosition p : spikes.steps) {
        const RunStep& step = context.facts.steps[p];
        for (const RankPosition rank : spikes.ranks) {
            const RankStep* const own = context.facts.stepOf(step, rank);
            if (own == nullptr || evidence.size() >= kMostEvidence) {
                continue;
            }
            evidence.push_back(
                {rank, step.index, tellingSlice(context, spikes, rank, *own),
                 context.sentences.fill("step-spikes.note", {{"length", formatDuration(step.duration_ns)},
                                                             {"usual", formatDuration(spikes.baseline_ns)}})});
        }
    }
    return evidence;
}

/// A single long step does not show how often such steps occur. A pause does not show its cause.
void judgeConfidence(const RuleContext& context, const StepSpikes& spikes, Finding& finding) {
    const Sentences& say = context.sentences;
    const std::string seen = countText(spikes.steps.size(), "long step");
    const bool few = spikes.steps.size() <= 2;
    if (few) {
        finding.why_confidence.push_back(say.fill("confidence.few-spikes", {{"seen", seen}}));
    }
    if (spikes.cause == SpikeCause::HostPause) {
        finding.why_confidence.push_back(say.fill("confidence.unnamed-pause", {}));
    }
    if (finding.why_confidence.empty()) {
        finding.why_confidence.push_back(say.fill("confidence.sure-spikes", {{"seen", seen}}));
        finding.confidence = Confidence::High;
    } else {
        finding.confidence = spikes.steps.size() < 2 ? Confidence::Low : Confidence::Medium;
    }
}

/// All ranks of the run wait for the late ones.
std::vector<RankPosition> payersOf(const RuleContext& context, const StepSpikes& spikes) {
    std::vector<RankPosition> payers;
    for (RankPosition r{0}; context.pricer.coupled() && r < context.facts.ranks.size(); ++r) {
        if (context.facts.ranks[r].device >= 0) {
            payers.push_back(r);
        }
    }
    return payers.empty() ? spikes.ranks : payers;
}

/// Whether a step is one of the long ones, or of those that they are compared with.
bool isOfWindow(const RuleContext& context, const StepSpikes& spikes, const RunStep& step) {
    const RunStepPosition p(&step - context.facts.steps.data());
    return std::ranges::binary_search(spikes.steps, p) || std::ranges::binary_search(spikes.others, p);
}

Finding findingOf(const RuleContext& context, const StepSpikes& spikes, const WholeStepsPrice& price) {
    Finding finding;
    finding.id = FindingId::StepSpikes;
    finding.cause = spikes.cause;
    finding.saving_ns = price.saving_ns;
    finding.blocked_ns = static_cast<DurationNs>((1 - spikes.computing) * static_cast<double>(price.saving_ns));
    finding.share =
        std::min(1.0, static_cast<double>(price.saving_ns) / static_cast<double>(context.facts.pricedStep()));
    finding.coverage =
        coverageOf(context.facts, [&](const RunStep& step) { return isOfWindow(context, spikes, step); });
    judgeConfidence(context, spikes, finding);
    finding.overlap = price.overlap;
    finding.ranks = spikes.ranks;
    finding.paying_ranks = payersOf(context, spikes);
    finding.steps = numbersOf(context, spikes.steps);
    finding.title = titleText(context.sentences, spikes.cause);
    finding.why = whyText(context, spikes, price.saving_ns);
    finding.remedies = context.advice.remedies(finding.id, {std::string(spikeCauseName(spikes.cause))});
    finding.evidence = evidenceOfSpikes(context, spikes);
    return finding;
}

/// The finding about threads that also stall in other steps on one of these ranks; nullptr if there is none.
Finding* sameStalls(const StepSpikes& spikes, std::vector<Finding>& findings) {
    const auto stalls = std::ranges::find(findings, FindingId::HostStall, &Finding::id);
    const bool same = spikes.stand_still && stalls != findings.end() &&
                      std::ranges::find_first_of(spikes.ranks, stalls->ranks) != spikes.ranks.end();
    return same ? &*stalls : nullptr;
}

template <class Value>
void unite(std::vector<Value>& values, const std::vector<Value>& more) {
    values.insert(values.end(), more.begin(), more.end());
    std::ranges::sort(values);
    values.erase(std::ranges::unique(values).begin(), values.end());
}

/// Stalls in long steps and in others are one problem with one price. The two savings add up, because that of the long
/// steps is what the other leaves. The range is removed: a few long steps do not show it.
void join(const RuleContext& context, const StepSpikes& spikes, Finding&& in_long_steps, Finding& stalls) {
    constexpr std::size_t kMostOfOthers = 5;
    stalls.saving_ns += in_long_steps.saving_ns;
    stalls.blocked_ns += in_long_steps.blocked_ns;
    stalls.share = std::min(1.0, stalls.share + in_long_steps.share);
    stalls.coverage = coverageOf(context.facts, [&](const RunStep& step) {
        return context.pricer.counts(step) || isOfWindow(context, spikes, step);
    });
    stalls.range = std::nullopt;
    if (stalls.overlap) {
        stalls.overlap->alone_ns += in_long_steps.saving_ns;
        stalls.overlap->after_ns += in_long_steps.saving_ns;
    }
    unite(stalls.ranks, in_long_steps.ranks);
    unite(stalls.paying_ranks, in_long_steps.paying_ranks);
    unite(stalls.steps, in_long_steps.steps);
    stalls.why += context.sentences.fill("step-spikes.same-stalls",
                                         {{"window", countText(spikes.steps.size() + spikes.others.size(), "step")},
                                          {"long", std::to_string(spikes.steps.size())},
                                          {"length", formatDuration(spikes.length_ns)},
                                          {"usual", formatDuration(spikes.baseline_ns)},
                                          {"who", ranksText(context, spikes.ranks)},
                                          {"time", formatDuration(spikes.cause_ns)},
                                          {"more", formatDuration(in_long_steps.saving_ns)},
                                          {"saving", formatDuration(stalls.saving_ns)}});
    stalls.evidence.resize(std::min(stalls.evidence.size(), kMostOfOthers));
    in_long_steps.evidence.resize(std::min(in_long_steps.evidence.size(), kMostEvidence - stalls.evidence.size()));
    std::ranges::move(in_long_steps.evidence, std::back_inserter(stalls.evidence));
}

}  // namespace
}  // namespace step_spikes

void judgeStepSpikes(const RuleContext& context, Diagnosis& diagnosis) {
    using namespace step_spikes;
    for (const StepSpikes& spikes : findStepSpikes(context)) {
        RunChange change;
        change.as_others = spikes.steps;
        Finding* const stalls = sameStalls(spikes, diagnosis.findings);
        const FindingId id = stalls == nullptr ? FindingId::StepSpikes : FindingId::HostStall;
        const std::optional<WholeStepsPrice> price = context.attribution.priceWholeSteps(id, spikes.ranks, change);
        if (!price) {
            continue;
        }
        Finding finding = findingOf(context, spikes, *price);
        if (stalls == nullptr) {
            diagnosis.findings.push_back(std::move(finding));
        } else {
            join(context, spikes, std::move(finding), *stalls);
        }
    }
}

}  // namespace rankscope
