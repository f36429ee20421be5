// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/analysis/steps/run_steps.h"
#include "core/analysis/tensor/find_tensor.h"
#include "core/base/format.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {
namespace expert_imbalance {
namespace {

/// Experts are uneven if longest / mean exceeds this, the usual spread of ranks' steps.
constexpr double kUneven = 1.1;
constexpr std::size_t kMostEvidence = 8;

/// The time that a layer loses to `hot` ranks. Assumes that they get the mean load and that the others stay as uneven
/// as they are; then the mean rank waits for the slowest of these. Without hot ranks it is the whole wait of the mean
/// rank.
DurationNs lostTo(const std::vector<RankPosition>& hot, const ExpertLayer& layer) {
    DurationNs longest_ns = 0;
    DurationNs sum_ns = 0;
    DurationNs others = 0;
    for (const ExpertPass& pass : layer.passes) {
        if (!std::ranges::binary_search(hot, pass.rank)) {
            longest_ns = std::max(longest_ns, pass.compute_ns);
            sum_ns += pass.compute_ns;
            ++others;
        }
    }
    if (hot.empty() || sum_ns <= 0) {
        return layer.lost_ns;
    }
    const double uneven = static_cast<double>(longest_ns * others) / static_cast<double>(sum_ns);
    const auto even_ns = static_cast<DurationNs>(uneven * static_cast<double>(layer.mean_ns));
    return std::clamp<DurationNs>(layer.longest_ns - even_ns, 0, layer.lost_ns);
}

/// What a rank loses to `hot` ranks in a step, as the mean over the ranks that it exchanges with. A rank waits only in
/// its own exchanges, and groups of experts run at the same time.
struct LostTime {
    DurationNs ns = 0;
    RankPosition rank;
};

/// The rank that loses most in a step. No other rank waits longer.
LostTime mostLostIn(const RuleContext& context, const RunStep& step, const std::vector<RankPosition>& hot) {
    std::vector<DurationNs> lost(context.facts.ranks.size(), 0);
    for (const ExpertLayer& layer : context.facts.experts.layers) {
        if (layer.step != step.index) {
            continue;
        }
        const DurationNs lost_ns = lostTo(hot, layer);
        for (const ExpertPass& pass : layer.passes) {
            lost[pass.rank] += lost_ns;
        }
    }
    const auto most = std::ranges::max_element(lost);
    return {*most, RankPosition(most - lost.begin())};
}

/// In a pipeline, how many times its own wait a rank saves. While the pipeline fills and drains, its ranks wait for
/// passes of others, which get shorter too.
double pipelineFactor(const RuleContext& context, RankPosition rank) {
    for (const Pipeline& pipeline : context.facts.pipeline.pipelines) {
        const PipelineTimes times = pipeline.times();
        if (times.busy() > 0 && std::ranges::find(pipeline.ranks, rank) != pipeline.ranks.end()) {
            const DurationNs ends_ns = times.bubbleOf(BubbleCause::WarmUp) + times.bubbleOf(BubbleCause::Drain);
            return 1 + static_cast<double>(ends_ns) / static_cast<double>(times.busy());
        }
    }
    return 1;
}

/// The loss of the priced step.
struct LostInSteps {
    DurationNs wait_ns = 0;  ///< waits in the combine, on the rank that loses most
    DurationNs step_ns = 0;  ///< the same, with the effect of a pipeline
};

LostInSteps lostInSteps(const RuleContext& context, const std::vector<RankPosition>& hot) {
    std::vector<DurationNs> waits;
    std::vector<DurationNs> steps;
    for (const RunStep* const step : context.pricer.steady()) {
        const LostTime lost = mostLostIn(context, *step, hot);
        waits.push_back(lost.ns);
        steps.push_back(static_cast<DurationNs>(pipelineFactor(context, lost.rank) * static_cast<double>(lost.ns)));
    }
    return {typicalOf(context.facts.basis, std::move(waits)), typicalOf(context.facts.basis, std::move(steps))};
}

/// The ranks whose experts took much longer than the mean rank of their exchanges, over all exchanges.
std::vector<RankPosition> hotRanks(const RuleContext& context) {
    std::vector<DurationNs> own_ns(context.facts.ranks.size(), 0);
    std::vector<DurationNs> mean_ns(context.facts.ranks.size(), 0);
    std::set<std::int64_t> counted;
    for (const RunStep* const step : context.pricer.steady()) {
        counted.insert(step->index);
    }
    for (const ExpertLayer& layer : context.facts.experts.layers) {
        if (counted.contains(layer.step)) {
            for (const ExpertPass& pass : layer.passes) {
                own_ns[pass.rank] += pass.compute_ns;
                mean_ns[pass.rank] += layer.mean_ns;
            }
        }
    }
    std::vector<RankPosition> hot;
    for (RankPosition r{0}; r < own_ns.size(); ++r) {
        if (mean_ns[r] > 0 && static_cast<double>(own_ns[r]) >= kUneven * static_cast<double>(mean_ns[r])) {
            hot.push_back(r);
        }
    }
    return hot;
}

/// All ranks with experts.
std::vector<RankPosition> allRanks(const ExpertFacts& experts) {
    std::vector<RankPosition> all;
    for (RankPosition r{0}; r < experts.ranks.size(); ++r) {
        if (experts.ranks[r].compute_ns.value_or(0) > 0) {
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
                            "combines after " + formatDuration(layer->longest_ns) +
                                " of expert computation; the mean is " + formatDuration(layer->mean_ns)});
    }
    return evidence;
}

/// "58 exchanges", "256 exchanges in each of 4 groups": how often the groups exchanged.
std::string exchangesText(const RuleContext& context) {
    std::map<std::vector<RankPosition>, std::size_t> of_groups;  // two process groups may have the same ranks
    for (const ExpertLayer& layer : context.facts.experts.layers) {
        std::vector<RankPosition> ranks;
        for (const ExpertPass& pass : layer.passes) {
            ranks.push_back(pass.rank);
        }
        ++of_groups[std::move(ranks)];
    }
    const std::size_t all = context.facts.experts.layers.size();
    if (of_groups.size() < 2) {
        return formatCounted(all, "exchange");
    }
    const bool alike =
        std::ranges::all_of(of_groups, [&](const auto& of_group) { return of_group.second * of_groups.size() == all; });
    const std::string groups = formatCounted(of_groups.size(), "group");
    return alike ? context.sentences.fill(
                       "expert-imbalance.in-each",
                       {{"exchanges", formatCounted(all / of_groups.size(), "exchange")}, {"groups", groups}})
                 : context.sentences.fill("expert-imbalance.in-all",
                                          {{"exchanges", formatCounted(all, "exchange")}, {"groups", groups}});
}

std::string hotText(const RuleContext& context, const std::vector<RankPosition>& hot) {
    const Sentences& say = context.sentences;
    if (!hot.empty()) {
        return say.fill(hot.size() == 1 ? "expert-imbalance.same-one" : "expert-imbalance.same-several",
                        {{"ranks", rankNames(context, hot)}});
    }
    const std::vector<RankExperts>& ranks = context.facts.experts.ranks;
    const auto often =
        std::ranges::max_element(ranks, {}, [](const RankExperts& one) { return one.slowest.value_or(0); });
    return say.fill("expert-imbalance.moves", {{"rank", rankNames(context, {RankPosition(often - ranks.begin())})},
                                               {"times", formatCount(often->slowest.value_or(0))}});
}

std::string whyText(const RuleContext& context, const std::vector<RankPosition>& hot, double ratio,
                    const LostInSteps& lost) {
    const Sentences& say = context.sentences;
    const std::string pipelined =
        lost.step_ns > lost.wait_ns ? say.fill("expert-imbalance.pipelined", {{"saving", formatDuration(lost.step_ns)}})
                                    : std::string();
    return say.fill("expert-imbalance.why", {{"layers", exchangesText(context)},
                                             {"ratio", formatPercent(ratio - 1)},
                                             {"who", hotText(context, hot)},
                                             {"lost", formatDuration(lost.wait_ns)},
                                             {"pipelined", pipelined}});
}

/// A rank's compute outside its experts, in the counted steps.
DurationNs outsideOfExperts(const RuleContext& context, RankPosition rank) {
    DurationNs compute_ns = 0;
    for (const RankStep& step : context.facts.ranks[rank].steps) {
        compute_ns += step.complete && !step.outlier && step.partition ? step.partition->compute_ns : 0;
    }
    return compute_ns - context.facts.experts.ranks[rank].compute_ns.value_or(0);
}

/// Whether the hot ranks also compute longer outside their experts, by at least half the share. Then their devices are
/// slow, and their experts are not overloaded.
bool areSlowDevices(const RuleContext& context, const std::vector<RankPosition>& hot) {
    const std::vector<RankExperts>& ranks = context.facts.experts.ranks;
    struct Sums {
        double experts = 0;
        double rest = 0;
        double count = 0;
    };
    Sums of_hot;
    Sums of_others;
    for (const RankPosition r : allRanks(context.facts.experts)) {
        Sums& sums = std::ranges::binary_search(hot, r) ? of_hot : of_others;
        sums.experts += static_cast<double>(ranks[r].compute_ns.value_or(0));
        sums.rest += static_cast<double>(outsideOfExperts(context, r));
        ++sums.count;
    }
    if (of_hot.count == 0 || of_others.experts <= 0 || of_others.rest <= 0) {
        return false;
    }
    const double others_a_hot = of_others.count / of_hot.count;
    const double experts = of_hot.experts * others_a_hot / of_others.experts - 1;
    const double rest = of_hot.rest * others_a_hot / of_others.rest - 1;
    return 2 * rest >= experts;
}

/// Findings about late ranks with longer kernels, if all these ranks are hot: the same problem.
auto lateByKernels(const std::vector<RankPosition>& hot) {
    return [&hot](const Finding& finding) {
        const auto* const because = std::get_if<LateBecause>(&finding.cause);
        return finding.id == FindingId::StragglerRank && because != nullptr &&
               (*because == LateBecause::SlowerKernels || *because == LateBecause::MoreKernels) &&
               std::ranges::includes(hot, finding.ranks);
    };
}

std::string holdsText(const RuleContext& context, const Finding& finding) {
    return context.sentences.fill("common.holds-another",
                                  {{"title", finding.title}, {"saving", formatDuration(finding.saving_ns)}});
}

/// Reports each cost once: a late rank with hot experts under the experts, experts on a slow device under the device.
/// Returns whether `experts` remains a finding.
bool foldWithLate(const RuleContext& context, const std::vector<RankPosition>& hot, Diagnosis& diagnosis,
                  Finding& experts) {
    const auto late = std::ranges::find_if(diagnosis.findings, lateByKernels(hot));
    if (late == diagnosis.findings.end()) {
        return true;
    }
    if (areSlowDevices(context, hot)) {
        late->why += holdsText(context, experts);
        return false;
    }
    experts.why += holdsText(context, *late);
    std::erase_if(diagnosis.findings, lateByKernels(hot));
    return true;
}

}  // namespace
}  // namespace expert_imbalance

void judgeExpertImbalance(const RuleContext& context, Diagnosis& diagnosis) {
    using namespace expert_imbalance;
    const ExpertFacts& experts = context.facts.experts;
    const std::optional<double> ratio = experts.imbalance();
    const DurationNs step_ns = context.facts.pricedStep();
    if (!ratio || *ratio < kUneven || step_ns <= 0) {
        return;
    }
    const std::vector<RankPosition> hot = hotRanks(context);
    const LostInSteps lost = lostInSteps(context, hot);
    const double share = std::min(1.0, static_cast<double>(lost.step_ns) / static_cast<double>(step_ns));
    if (share < Pricer::kLeastShare) {
        return;
    }
    Finding finding;
    finding.id = FindingId::ExpertImbalance;
    finding.saving_ns = lost.step_ns;
    finding.blocked_ns = lost.wait_ns;
    finding.share = share;
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
    finding.why = whyText(context, hot, *ratio, lost);
    const bool serves = isForwardOnly(context.facts);
    finding.remedies = context.advice.remedies(finding.id, {serves ? "inference" : "training"});
    finding.evidence = evidenceOfLayers(context);
    if (foldWithLate(context, hot, diagnosis, finding)) {
        diagnosis.findings.push_back(std::move(finding));
    }
}

}  // namespace rankscope
