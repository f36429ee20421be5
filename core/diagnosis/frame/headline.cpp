// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/frame/judge_by_rules.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/format.h"
#include "core/diagnosis/evidence/evidence.h"

namespace rankscope {
namespace {

/// The key of the title that a finding gives; empty where the critical path names what it is about.
std::string_view titleKeyOf(const Finding& finding) {
    switch (finding.id) {
        case FindingId::StragglerRank: return "headline.held-up";
        case FindingId::ShardGatherLate: return finding.late.empty() ? "" : "headline.held-up";
        case FindingId::MovingStraggler: return "headline.held-up-in-turn";
        case FindingId::PipelineBubble: return "headline.pipeline";
        case FindingId::StageImbalance: return "headline.held-up";
        case FindingId::ExpertImbalance: return "headline.experts";
        case FindingId::DeviceShared: return "headline.shared";
        case FindingId::StepSpikes: return "headline.long-steps";
        default: return "";
    }
}

struct BoundText {
    double share = 0;  ///< of the path, 0 to 1
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

Headline headlineOfBound(const Verdict& verdict, const Sentences& say) {
    if (!verdict.shares) {
        return {say.fill("headline.unknown", {}), verdict.rule};
    }
    const BoundShares& shares = *verdict.shares;
    if (!verdict.bound) {
        const double rest = std::max(shares.rest, shares.unknown + shares.unsplit);
        return {say.fill("headline.unknown", {}), say.fill("headline.unrecorded", {{"share", formatPercent(rest)}})};
    }
    const BoundText text = textOf(*verdict.bound, shares);
    return {std::string(boundName(*verdict.bound)), say.fill(text.key, {{"share", formatPercent(text.share)}})};
}

/// Whether a finding is about what the verdict names: a late DataLoader in an input-bound run. In a balanced run any
/// is.
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

}  // namespace

Headline headlineOf(const RuleContext& context, const std::vector<Finding>& findings) {
    const Sentences& say = context.sentences;
    const Verdict& verdict = context.facts.verdict;
    const Finding* const first = findings.empty() || findings.front().saving_ns <= 0 ? nullptr : &findings.front();
    if (first != nullptr && first->severity >= Severity::Medium) {
        if (const std::string_view key = titleKeyOf(*first); !key.empty()) {
            return {say.fillFrom(key, {{"who", rankNamesWithin(context, first->ranks)}}), first->summary, true};
        }
    }
    Headline headline = headlineOfBound(verdict, say);
    if (first != nullptr && !(verdict.bound && isOfBound(first->id, *verdict.bound))) {
        headline.text +=
            say.fill("headline.elsewhere", {{"title", first->title}, {"share", formatPercent(first->share)}});
    }
    return headline;
}

}  // namespace rankscope
