// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "core/analysis/steps/run_steps.h"
#include "core/analysis/tensor/find_tensor.h"
#include "core/base/format.h"
#include "core/diagnosis/evidence.h"
#include "core/diagnosis/rule.h"

namespace rankscope {
namespace {

/// The longest over the mean from which experts count as uneven: what is usual for steps of ranks.
constexpr double kUneven = 1.1;
constexpr std::size_t kMostEvidence = 8;

/// What the steps that prices stand on lose.
std::vector<DurationNs> lostInSteps(const RuleContext& context) {
    std::vector<DurationNs> lost;
    for (const RunStep* const step : context.pricer.steady()) {
        DurationNs sum_ns = 0;
        for (const ExpertLayer& layer : context.facts.experts.layers) {
            sum_ns += layer.step == step->index ? layer.lost_ns : 0;
        }
        lost.push_back(sum_ns);
    }
    return lost;
}

/// The ranks whose experts took much longer than those of the mean rank, over all layers.
std::vector<RankPosition> hotRanks(const ExpertFacts& experts) {
    DurationNs sum_ns = 0;
    DurationNs ranks = 0;
    for (const RankExperts& rank : experts.ranks) {
        sum_ns += rank.compute_ns;
        ranks += rank.compute_ns > 0 ? 1 : 0;
    }
    std::vector<RankPosition> hot;
    for (RankPosition r{0}; r < experts.ranks.size() && ranks > 0; ++r) {
        const double mean_ns = static_cast<double>(sum_ns) / static_cast<double>(ranks);
        if (static_cast<double>(experts.ranks[r].compute_ns) >= kUneven * mean_ns) {
            hot.push_back(r);
        }
    }
    return hot;
}

/// Those that take part.
std::vector<RankPosition> allRanks(const ExpertFacts& experts) {
    std::vector<RankPosition> all;
    for (RankPosition r{0}; r < experts.ranks.size(); ++r) {
        if (experts.ranks[r].compute_ns > 0) {
            all.push_back(r);
        }
    }
    return all;
}

std::vector<Evidence> evidenceOfLayers(const RuleContext& context) {
    std::vector<const ExpertLayer*> worst;
    for (const ExpertLayer& layer : context.facts.experts.layers) {
        worst.push_back(&layer);
    }
    std::ranges::stable_sort(worst, std::greater(), &ExpertLayer::lost_ns);
    std::vector<Evidence> evidence;
    for (const ExpertLayer* const layer : worst) {
        const Collective& combine = context.facts.collectives.collectives[layer->combine];
        if (evidence.size() >= kMostEvidence || layer->lost_ns <= 0) {
            break;
        }
        evidence.push_back({layer->slowest, layer->step, combine.memberOf(layer->slowest)->slices.front(),
                            "combines behind " + formatDuration(layer->longest_ns) + " of experts, where the mean is " +
                                formatDuration(layer->mean_ns)});
    }
    return evidence;
}

std::string whyText(const RuleContext& context, const std::vector<RankPosition>& hot, double ratio,
                    DurationNs lost_ns) {
    const Sentences& say = context.sentences;
    const ExpertFacts& experts = context.facts.experts;
    const auto often = std::ranges::max_element(experts.ranks, {}, &RankExperts::slowest);
    const RankPosition most_often(often - experts.ranks.begin());
    return say.fill(
        "expert-imbalance.why",
        {{"layers", countText(experts.layers.size(), "exchange")},
         {"ratio", formatPercent(ratio - 1)},
         {"who", hot.empty() ? say.fill("expert-imbalance.moves", {{"rank", rankNames(context, {most_often})},
                                                                   {"times", formatCount(often->slowest)}})
                             : say.fill("expert-imbalance.same", {{"ranks", rankNames(context, hot)}})},
         {"lost", formatDuration(lost_ns)}});
}

}  // namespace

void judgeExpertImbalance(const RuleContext& context, Diagnosis& diagnosis) {
    const ExpertFacts& experts = context.facts.experts;
    const std::optional<double> ratio = experts.imbalance();
    const DurationNs step_ns = context.facts.pricedStep();
    if (!ratio || *ratio < kUneven || step_ns <= 0) {
        return;
    }
    const DurationNs lost_ns = typicalOf(context.facts.basis, lostInSteps(context));
    const double share = std::min(1.0, static_cast<double>(lost_ns) / static_cast<double>(step_ns));
    if (share < Pricer::kLeastShare) {
        return;
    }
    const std::vector<RankPosition> hot = hotRanks(experts);
    Finding finding;
    finding.id = FindingId::ExpertImbalance;
    finding.saving_ns = lost_ns;
    finding.blocked_ns = lost_ns;
    finding.share = share;
    finding.severity = severityOf(share);
    finding.confidence = context.pricer.steady().size() > 1 ? Confidence::Medium : Confidence::Low;
    finding.at_most = true;
    finding.coverage = context.pricer.coverage();
    finding.why_confidence = {context.sentences.fill("expert-imbalance.counted", {})};
    finding.ranks = hot.empty() ? allRanks(experts) : hot;
    finding.paying_ranks = allRanks(experts);
    for (const RunStep* const step : context.pricer.steady()) {
        finding.steps.push_back(step->index);
    }
    finding.title = context.advice.title(finding.id);
    finding.why = whyText(context, hot, *ratio, lost_ns);
    const bool serves = isForwardOnly(context.facts);
    finding.remedies = context.advice.remedies(finding.id, {serves ? "inference" : "training"});
    finding.evidence = evidenceOfLayers(context);
    diagnosis.findings.push_back(std::move(finding));
}

}  // namespace rankscope
