// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/prices/pipeline_prices.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/steps/run_steps.h"
#include "core/base/format.h"
#include "core/base/statistics.h"

namespace rankscope {

const Pipeline* slowestPipeline(const RuleContext& context) {
    const Pipeline* slowest = nullptr;
    for (const Pipeline& pipeline : context.facts.pipeline.pipelines) {
        if (pipeline.forecast && (slowest == nullptr || pipeline.forecast->played_ns > slowest->forecast->played_ns)) {
            slowest = &pipeline;
        }
    }
    return slowest;
}

std::vector<RankPosition> pipelineRanks(const RuleContext& context) {
    std::vector<RankPosition> ranks;
    for (const Pipeline& pipeline : context.facts.pipeline.pipelines) {
        if (pipeline.forecast) {
            ranks.insert(ranks.end(), pipeline.ranks.begin(), pipeline.ranks.end());
        }
    }
    std::ranges::sort(ranks);
    return ranks;
}

DurationNs windowOf(const Pipeline& pipeline) {
    std::vector<DurationNs> windows;
    for (const std::size_t step : pipeline.counted) {
        windows.push_back(pipeline.steps[step].window.plain().length());
    }
    return lowerMedian(std::move(windows));
}

std::optional<Finding> pipelineFinding(const RuleContext& context, const Pipeline& pipeline, FindingId id,
                                       DurationNs saving_ns) {
    const DurationNs step_ns = context.facts.pricedStep();
    const double share = step_ns > 0 ? static_cast<double>(saving_ns) / static_cast<double>(step_ns) : 0;
    if (share < Pricer::kLeastShare) {
        return std::nullopt;
    }
    constexpr double kCloseEnough = 0.1;
    const DurationNs measured_ns = windowOf(pipeline);
    const DurationNs off_ns = std::abs(measured_ns - pipeline.forecast->played_ns);
    const bool close = static_cast<double>(off_ns) <= kCloseEnough * static_cast<double>(measured_ns);
    Finding finding;
    finding.id = id;
    finding.saving_ns = saving_ns;
    finding.share = std::min(1.0, share);
    finding.confidence = close ? Confidence::Medium : Confidence::Low;
    finding.why_confidence = {context.sentences.fill(
        "confidence.played",
        {{"played", formatDuration(pipeline.forecast->played_ns)}, {"measured", formatDuration(measured_ns)}})};
    std::vector<RunStepPosition> steps;
    for (const std::size_t step : pipeline.counted) {
        steps.push_back(pipeline.steps[step].step);
        finding.steps.push_back(context.facts.steps[steps.back()].index);
    }
    finding.coverage = coverageOf(context.facts, [&](const RunStep& step) {
        return std::ranges::find(steps, RunStepPosition(&step - context.facts.steps.data())) != steps.end();
    });
    finding.paying_ranks = pipelineRanks(context);
    return finding;
}

std::string bubbleTitle(const Sentences& sentences, const std::vector<Pipeline>& all, const Pipeline& of,
                        const std::string& ranks) {
    const std::string share = formatPercent(of.bubbleShare());
    if (all.size() < 2) {
        return sentences.fill("pipeline-bubble.title", {{"share", share}});
    }
    const bool alike = std::ranges::all_of(
        all, [&share](const Pipeline& pipeline) { return formatPercent(pipeline.bubbleShare()) == share; });
    return alike ? sentences.fill("pipeline-bubble.title-all", {{"share", share}})
                 : sentences.fill("pipeline-bubble.title-one", {{"ranks", ranks}, {"share", share}});
}

std::vector<DurationNs> rankTimes(const Pipeline& pipeline) {
    std::vector<DurationNs> times(pipeline.ranks.size());
    for (const StageTime& stage : pipeline.stage_times) {
        const auto at = std::ranges::find(pipeline.ranks, stage.rank) - pipeline.ranks.begin();
        times[static_cast<std::size_t>(at)] += stage.total();
    }
    return times;
}

DurationNs ofARankAndStep(const Pipeline& pipeline, DurationNs sum_ns) {
    const auto parts = static_cast<DurationNs>(pipeline.ranks.size() * pipeline.counted.size());
    return parts > 0 ? sum_ns / parts : 0;
}

}  // namespace rankscope
