// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/format.h"
#include "core/base/format_factor.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/frame/rule.h"
#include "core/diagnosis/gpu_speed/slowed_gpu.h"
#include "core/diagnosis/gpu_speed/throttle_proof.h"

namespace rankscope {
namespace gpu_slows_down {
namespace {

/// A GPU is no culprit if it slows down by less than this share of the worst one's slowdown.
constexpr double kLeastOfWorst = 0.25;
constexpr std::size_t kNamedKernels = 3;

const SlowedGpu& worstOf(const std::vector<SlowedGpu>& gpus) {
    return *std::ranges::max_element(gpus, {}, &SlowedGpu::factor);
}

RankSpans spansOf(const RuleContext& context, RankPosition rank, const std::vector<RankStepPosition>& steps) {
    RankSpans spans{rank, {}};
    for (const RankStepPosition step : steps) {
        spans.spans.push_back(context.facts.ranks[rank].steps[step].span);
    }
    return spans;
}

std::vector<RankStepPosition> stepsOf(const std::vector<StepPace>& paces) {
    std::vector<RankStepPosition> steps;
    for (const StepPace& pace : paces) {
        steps.push_back(pace.step);
    }
    return steps;
}

/// The kernels that lose most in the slowest step, each next to itself in the first step.
std::vector<Evidence> evidenceOf(const RuleContext& context, const SlowedGpu& gpu) {
    const std::vector<StepKernels> kernels = kernelsOfSteps(context, gpu.rank);
    const std::vector<RankStep>& steps = context.facts.ranks[gpu.rank].steps;
    const std::vector<ReplayEvent>& events = context.pricer.model().ranks[gpu.rank].events;
    const RankStepPosition first = gpu.first_steps.front();
    const RankStepPosition slowest = std::ranges::max_element(gpu.slow, {}, &StepPace::factor)->step;
    std::vector<std::pair<const StepKernel*, const StepKernel*>> pairs;  // first step, slowest step
    const auto place = [](const StepKernel& kernel) { return std::pair(kernel.kind, kernel.ordinal); };
    for (const StepKernel& slow : kernels[slowest]) {
        const auto at = std::ranges::lower_bound(kernels[first], place(slow), {}, place);
        if (at != kernels[first].end() && place(*at) == place(slow) && at->alone && slow.alone && at->ns > 0) {
            pairs.emplace_back(&*at, &slow);
        }
    }
    std::ranges::stable_sort(pairs, std::ranges::greater(),
                             [](const auto& pair) { return pair.second->ns - pair.first->ns; });
    std::vector<Evidence> evidence;
    std::set<std::uint64_t> named;
    for (const auto& [early, late] : pairs) {
        if (named.size() < kNamedKernels && late->ns > early->ns && named.insert(late->kind).second) {
            const double factor = static_cast<double>(late->ns) / static_cast<double>(early->ns);
            evidence.push_back(
                {gpu.rank, steps[first].index, events[early->event].ref,
                 context.sentences.fill("gpu-slows-down.note-first", {{"time", formatDuration(early->ns)}})});
            evidence.push_back(
                {gpu.rank, steps[slowest].index, events[late->event].ref,
                 context.sentences.fill("gpu-slows-down.note-slow",
                                        {{"time", formatDuration(late->ns)}, {"factor", formatFactor(factor, 2)}})});
        }
    }
    return evidence;
}

std::vector<RankPosition> ranksOf(const std::vector<SlowedGpu>& gpus) {
    std::vector<RankPosition> ranks;
    for (const SlowedGpu& gpu : gpus) {
        ranks.push_back(gpu.rank);
    }
    return ranks;
}

/// If ranks are coupled, all ranks with GPU work wait for the slow ones.
std::vector<RankPosition> payersOf(const RuleContext& context, const std::vector<RankPosition>& culprits) {
    std::vector<RankPosition> payers;
    for (RankPosition r{0}; context.pricer.coupled() && r < context.facts.ranks.size(); ++r) {
        if (context.facts.ranks[r].device >= 0) {
            payers.push_back(r);
        }
    }
    return payers.empty() ? culprits : payers;
}

void addPlaces(const RuleContext& context, const std::vector<SlowedGpu>& gpus, Finding& finding) {
    finding.ranks = ranksOf(gpus);
    finding.paying_ranks = payersOf(context, finding.ranks);
    std::set<std::int64_t> steps;
    for (const SlowedGpu& gpu : gpus) {
        for (const StepPace& slow : gpu.slow) {
            steps.insert(context.facts.ranks[gpu.rank].steps[slow.step].index);
        }
    }
    finding.steps.assign(steps.begin(), steps.end());
}

Finding findingOf(const RuleContext& context, const std::vector<SlowedGpu>& gpus, const WholeStepsPrice& price) {
    const Sentences& say = context.sentences;
    const SlowedGpu& worst = worstOf(gpus);
    const ThrottleProof proof = throttleProof(context, spansOf(context, worst.rank, stepsOf(worst.slow)),
                                              {spansOf(context, worst.rank, worst.first_steps)}, worst.factor);
    Finding finding;
    finding.id = FindingId::GpuSlowsDown;
    addPlaces(context, gpus, finding);
    finding.saving_ns = price.saving_ns;
    finding.share =
        std::min(1.0, static_cast<double>(price.saving_ns) / static_cast<double>(context.facts.pricedStep()));
    finding.overlap = price.overlap;
    finding.coverage = context.pricer.coverage();
    finding.at_most = true;
    finding.confidence = Confidence::Medium;
    finding.why_confidence = {say.fill("confidence.upper-bound", {})};
    if (proof.proven) {
        finding.cause = LateBecause::Throttling;
    }
    const std::string who = rankNamesWithin(context, finding.ranks);
    finding.title = say.fill("gpu-slows-down.title", {{"who", who}});
    finding.why = say.fill("gpu-slows-down.why", {{"slow", std::to_string(worst.slow.size())},
                                                  {"steps", countText(worst.paces.size(), "step")},
                                                  {"factor", formatFactor(worst.factor, 2)},
                                                  {"first", std::to_string(worst.first_steps.size())},
                                                  {"who", rankNamesWithin(context, {worst.rank})},
                                                  {"proof", proofText(say, proof)}}) +
                  say.fill("common.at-most", {{"saving", formatDuration(price.saving_ns)}});
    finding.remedies = context.advice.remedies(finding.id, {});
    finding.evidence = evidenceOf(context, worst);
    return finding;
}

}  // namespace
}  // namespace gpu_slows_down

void judgeSlowedGpus(const RuleContext& context, Diagnosis& diagnosis) {
    using namespace gpu_slows_down;
    std::vector<SlowedGpu> gpus = slowedGpus(context);
    if (gpus.empty()) {
        return;
    }
    const double most = worstOf(gpus).factor - 1;
    std::erase_if(gpus, [&](const SlowedGpu& gpu) { return gpu.factor - 1 < kLeastOfWorst * most; });
    const RunChange change = coolChange(context, gpus);
    const auto price = context.attribution.priceWholeSteps(FindingId::GpuSlowsDown, ranksOf(gpus), change);
    if (price) {
        diagnosis.findings.push_back(findingOf(context, gpus, *price));
    }
}

}  // namespace rankscope
