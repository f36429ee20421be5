// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/frame/judge_by_rules.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/format.h"
#include "core/diagnosis/evidence/evidence.h"

namespace rankscope {
namespace {

/// The key of a finding's headline; empty if the critical path names its subject.
std::string_view titleKeyOf(const Finding& finding) {
    switch (finding.id) {
        case FindingId::StragglerRank: return "headline.held-up";
        case FindingId::ShardGatherLate: return finding.late.empty() ? "" : "headline.held-up";
        case FindingId::MovingStraggler: return "headline.held-up-in-turn";
        case FindingId::PipelineBubble: return "headline.pipeline";
        case FindingId::StageImbalance: return "headline.held-up";
        case FindingId::ExpertImbalance: return "headline.experts";
        case FindingId::DeviceShared: return "headline.shared";
        case FindingId::LateAnswer: return "headline.late-answer";
        case FindingId::WarmUp: return "headline.warm-up";
        case FindingId::StepSpikes: return "headline.long-steps";
        case FindingId::GpuSlowsDown: return "headline.gpu-slows-down";
        default: return "";
    }
}

struct BoundText {
    double share = 0;  ///< share of the path, 0 to 1
    std::string_view key;
};

BoundText textOf(Bound bound, const BoundShares& shares) {
    switch (bound) {
        case Bound::Compute: return {shares.compute, "headline.compute"};
        case Bound::Communication: return {shares.communication, "headline.communication"};
        case Bound::Input: return {shares.input, "headline.input"};
        case Bound::Launch: return {shares.launch, "headline.launch"};
        case Bound::HostStall: return {shares.stall, "headline.stall"};
        case Bound::Balanced: break;
    }
    return {1 - shares.compute, "headline.balanced"};
}

/// Whether a finding is about the bound of the verdict: a late DataLoader in an input-bound run. In a balanced run any
/// finding is.
bool isOfBound(FindingId id, Bound bound) {
    switch (id) {
        case FindingId::DataloaderStall:
        case FindingId::UnpinnedMemcpy: return bound == Bound::Input || bound == Bound::Balanced;
        case FindingId::HostSync:
        case FindingId::AllocatorStall:
        case FindingId::HostCode:
        case FindingId::LaunchBound:
        case FindingId::FindUnusedParameters: return bound == Bound::Launch || bound == Bound::Balanced;
        case FindingId::HostStall: return bound == Bound::HostStall || bound == Bound::Balanced;
        case FindingId::BucketSize:
        case FindingId::ShardGatherLate:
        case FindingId::TensorCommunication:
        case FindingId::SlowCollective:
        case FindingId::ExposedCommunication: return bound == Bound::Communication || bound == Bound::Balanced;
        case FindingId::GradientCopies:
        case FindingId::NoTensorCores:
        case FindingId::LowPrecisionUnused: return bound == Bound::Compute || bound == Bound::Balanced;
        default: return bound == Bound::Balanced;
    }
}

/// Whether some finding with a price is about the bound of the verdict. Compute is not a wait, so no finding has to
/// name it; in a balanced run any will do.
bool isNamed(Bound bound, const std::vector<Finding>& findings) {
    return bound == Bound::Compute || std::ranges::any_of(findings, [bound](const Finding& finding) {
               return finding.saving_ns > 0 && isOfBound(finding.id, bound);
           });
}

/// Whether the findings say that nothing recorded explains what the verdict calls late launches.
bool isUnrecorded(Bound bound, const Finding* first) {
    return bound == Bound::Launch && first != nullptr && first->id == FindingId::UnexplainedIdle;
}

/// Why the bound of the run is not known, and what to record: the first reason about it; empty if there is none.
std::string whyUnjudged(Bound bound, const std::vector<CannotTell>& all) {
    const auto found = std::ranges::find_if(
        all, [bound](const CannotTell& one) { return bound != Bound::Balanced && isOfBound(one.id, bound); });
    return found == all.end() ? std::string() : " " + found->reason + " " + found->record;
}

Headline unknownHeadline(const Sentences& say, std::string text) {
    return {say.fill("headline.unknown", {}), std::move(text), false, false};
}

/// The GPU is idle, and nothing recorded says why.
Headline idleHeadline(const RuleContext& context, double share) {
    const Sentences& say = context.sentences;
    return {say.fill("headline.idle", {}),
            say.fill("headline.unrecorded",
                     {{"share", formatPercent(share)}, {"record", context.advice.record(FindingId::UnexplainedIdle)}}),
            false, false};
}

/// Whether a Python function waits for work, by its name.
bool waitsForWork(std::string_view code) {
    static constexpr std::array<std::string_view, 6> kWaits = {"queue.py(", "select", "poll", "recv", "sleep", "wait"};
    return std::ranges::any_of(kWaits,
                               [&](std::string_view wait) { return code.find(wait) != std::string_view::npos; });
}

/// The share of the steady steps in which the GPU of a server is idle after the range of an iteration has ended, in
/// long stretches in which its CPU records nothing, or waits for work; 0 if the job does not serve.
double idleBetweenIterations(const RuleContext& context) {
    DurationNs between_ns = 0;
    DurationNs all_ns = 0;
    for (RankPosition r{0}; r < context.facts.ranks.size(); ++r) {
        const RankFacts& rank = context.facts.ranks[r];
        for (const RankStep& step : rank.steps) {
            if (rank.step_source != StepSource::Iteration || !step.complete || step.outlier || !step.mark.valid()) {
                continue;
            }
            all_ns += step.span.length();
            const TimeSpan after{context.work[r].trace->span(step.mark).end_ns, step.span.end_ns};
            for (const Gap& gap : step.gaps) {
                for (const GapPart& part : gap.parts) {
                    const bool waits = part.long_stretch && (part.code_name.empty() || waitsForWork(part.code_name));
                    between_ns += waits && !after.empty() ? intersect(part.span, after).length() : 0;
                }
            }
        }
    }
    return all_ns > 0 ? static_cast<double>(between_ns) / static_cast<double>(all_ns) : 0;
}

/// The headline of the critical path, as far as findings name its bound.
Headline headlineOfBound(const RuleContext& context, const Diagnosis& diagnosis, const Finding* first) {
    const Sentences& say = context.sentences;
    const Verdict& verdict = context.facts.verdict;
    if (!verdict.shares) {
        return unknownHeadline(say, verdict.rule);
    }
    const BoundShares& shares = *verdict.shares;
    const double idle = shares.launch + shares.stall + shares.rest + shares.unknown;
    const double between = idleBetweenIterations(context);
    const bool may_be_idle = !verdict.bound || *verdict.bound == Bound::Launch || *verdict.bound == Bound::Balanced;
    if (may_be_idle && idle > 0 && 2 * between >= 1 - shares.compute) {
        return {say.fill("headline.between", {}),
                say.fill("headline.between-iterations", {{"share", formatPercent(between)}}), false, false};
    }
    if (!verdict.bound && shares.warm_up > std::max(shares.rest, shares.unknown + shares.unsplit)) {
        return {say.fill("headline.warm-up", {}),
                say.fill("headline.warm-up-share", {{"share", formatPercent(shares.warm_up)},
                                                    {"record", context.advice.record(FindingId::WarmUp)}}),
                false, false};
    }
    if (!verdict.bound) {
        const double unrecorded = shares.rest + shares.unknown;
        if (unrecorded >= shares.unsplit) {
            return idleHeadline(context, unrecorded);
        }
        const bool others_missing = context.run.missing() > 0;
        return unknownHeadline(say, others_missing
                                        ? say.fill("headline.unsplit", {{"share", formatPercent(shares.unsplit)}})
                                        : verdict.rule);
    }
    if (isUnrecorded(*verdict.bound, first)) {
        // The finding's own share is what the step would save, which is less if other ranks keep the step as long.
        return idleHeadline(context, std::min(1.0, static_cast<double>(first->blocked_ns) /
                                                       static_cast<double>(context.facts.pricedStep())));
    }
    const BoundText text = textOf(*verdict.bound, shares);
    std::string known = say.fill(text.key, {{"share", formatPercent(text.share)}});
    if (isNamed(*verdict.bound, diagnosis.findings)) {
        return {std::string(boundName(*verdict.bound)), std::move(known)};
    }
    const std::string why = whyUnjudged(*verdict.bound, diagnosis.cannot_tell);
    return unknownHeadline(say, known + (why.empty() ? say.fill("headline.unnamed", {}) : why));
}

}  // namespace

Headline headlineOf(const RuleContext& context, const Diagnosis& diagnosis) {
    const Sentences& say = context.sentences;
    const Verdict& verdict = context.facts.verdict;
    const std::vector<Finding>& findings = diagnosis.findings;
    const Finding* const first = findings.empty() || findings.front().saving_ns <= 0 ? nullptr : &findings.front();
    if (first != nullptr && (first->severity >= Severity::Medium || !verdict.bound)) {
        if (const std::string_view key = titleKeyOf(*first); !key.empty()) {
            return {say.fillFrom(key, {{"who", rankNamesWithin(context, first->ranks)}}), first->summary, true};
        }
    }
    Headline headline = headlineOfBound(context, diagnosis, first);
    const bool is_told = headline.known ? verdict.bound && first != nullptr && isOfBound(first->id, *verdict.bound)
                                        : first != nullptr && first->id == FindingId::UnexplainedIdle;
    if (first != nullptr && !is_told) {
        const DurationNs largest_ns = std::ranges::max(findings, {}, &Finding::saving_ns).saving_ns;
        headline.text += say.fill(first->saving_ns == largest_ns ? "headline.elsewhere" : "headline.elsewhere-first",
                                  {{"title", first->title}, {"share", formatPercent(first->share)}});
    }
    return headline;
}

}  // namespace rankscope
