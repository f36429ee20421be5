// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "core/base/format.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/frame/rule.h"
#include "core/diagnosis/prices/pipeline_prices.h"

namespace rankscope {
namespace pipeline_bubble {
namespace {

/// The saving per step with another number of micro-batches or stages; 0 if unknown, or if there is none.
DurationNs savedBy(const PipelineForecast& forecast, const std::optional<DurationNs>& instead_ns) {
    return instead_ns ? std::max<DurationNs>(0, forecast.played_ns - *instead_ns) : 0;
}

std::string optionsText(const RuleContext& context, const Pipeline& pipeline) {
    const PipelineForecast& forecast = *pipeline.forecast;
    // Only the pipeline is simulated. So a step is the priced step minus the saving, as in the finding's price.
    const auto step = [&](const std::optional<DurationNs>& instead_ns) {
        return formatDuration(std::max<DurationNs>(0, context.facts.pricedStep() - savedBy(forecast, instead_ns)));
    };
    std::string text;
    if (forecast.more_micro_batches_ns) {
        text += context.sentences.fill(
            "pipeline-bubble.more-micro-batches",
            {{"count", std::to_string(2 * pipeline.micro_batches)}, {"time", step(forecast.more_micro_batches_ns)}});
    }
    if (forecast.more_stages_ns) {
        text += context.sentences.fill(
            "pipeline-bubble.more-stages",
            {{"count", std::to_string(2 * pipeline.stages_per_rank)}, {"time", step(forecast.more_stages_ns)}});
    }
    return text;
}

/// `range` is that of the saving. It starts `off_ns` below the saving of the best option.
std::string whyText(const RuleContext& context, const Pipeline& pipeline, const SavingRange& range, DurationNs off_ns) {
    const PipelineTimes times = pipeline.times();
    const auto of = [&](BubbleCause cause) { return formatDuration(ofARankAndStep(pipeline, times.bubbleOf(cause))); };
    std::string text =
        context.sentences.fill("pipeline-bubble.why", {{"schedule", std::string(scheduleTitle(*pipeline.schedule))},
                                                       {"ranks", countText(pipeline.ranks.size(), "rank")},
                                                       {"micro_batches", std::to_string(pipeline.micro_batches)},
                                                       {"share", formatPercent(pipeline.bubbleShare())},
                                                       {"warm_up", of(BubbleCause::WarmUp)},
                                                       {"drain", of(BubbleCause::Drain)},
                                                       {"waits", of(BubbleCause::StageWait)},
                                                       {"hand_over", of(BubbleCause::HandOver)}});
    if (pipeline.theory) {
        text += context.sentences.fill("pipeline-bubble.theory", {{"theory", formatPercent(*pipeline.theory)}});
    }
    return text + optionsText(context, pipeline) +
           context.sentences.fill("pipeline-bubble.full", {{"time", formatDuration(pipeline.forecast->full_ns)},
                                                           {"off", formatDuration(off_ns)},
                                                           {"low", formatDuration(range.low_ns)},
                                                           {"high", formatDuration(range.high_ns)}});
}

/// Which advice on micro-batches applies. Schedules differ in the bubble that remains and in the memory that
/// micro-batches take.
std::string moreMicroBatches(Schedule schedule) {
    switch (schedule) {
        case Schedule::GPipe: return "more-micro-batches-gpipe";
        case Schedule::OneFOneB: return "more-micro-batches-1f1b";
        case Schedule::Interleaved: return "more-micro-batches-interleaved";
        case Schedule::ZeroBubble:
        case Schedule::DualPipe: break;
    }
    return "more-micro-batches-other";
}

std::vector<std::string> conditionsOf(const RuleContext& context, const Pipeline& pipeline) {
    const PipelineForecast& forecast = *pipeline.forecast;
    const auto least_ns =
        static_cast<DurationNs>(Pricer::kLeastShare * static_cast<double>(context.facts.pricedStep()));
    std::vector<std::string> conditions;
    if (savedBy(forecast, forecast.more_micro_batches_ns) >= least_ns) {
        conditions.push_back(moreMicroBatches(*pipeline.schedule));
    }
    if (savedBy(forecast, forecast.more_stages_ns) >= least_ns) {
        conditions.emplace_back("more-stages");
    }
    const DurationNs hand_over_ns = ofARankAndStep(pipeline, pipeline.times().bubbleOf(BubbleCause::HandOver));
    if (hand_over_ns >= least_ns) {
        conditions.emplace_back("hand-over");
    }
    if (*pipeline.schedule != Schedule::ZeroBubble && *pipeline.schedule != Schedule::DualPipe) {
        conditions.emplace_back("whole-backwards");
    }
    return conditions;
}

/// The longest stretches of the bubble in the first counted step, by what ends them.
std::vector<Evidence> evidenceOfBubble(const RuleContext& context, const Pipeline& pipeline) {
    constexpr std::size_t kMost = 8;
    const PipelineStep& step = pipeline.steps[pipeline.counted.front()];
    std::vector<std::pair<DurationNs, Evidence>> found;
    for (std::size_t r = 0; r < step.ranks.size(); ++r) {
        for (const BubblePart& part : step.ranks[r].bubble) {
            const SliceRef slice = part.before ? step.ranks[r].passes[*part.before].work : SliceRef();
            if (slice.valid()) {
                found.push_back({part.span.length(),
                                 {pipeline.ranks[r], context.facts.steps[step.step].index, slice,
                                  context.sentences.fill("pipeline-bubble.note",
                                                         {{"time", formatDuration(part.span.length())},
                                                          {"cause", std::string(bubbleCauseTitle(part.cause))}})}});
            }
        }
    }
    std::ranges::stable_sort(found, std::greater<>(), [](const auto& one) { return one.first; });
    std::vector<Evidence> evidence;
    for (std::size_t i = 0; i < std::min(kMost, found.size()); ++i) {
        evidence.push_back(std::move(found[i].second));
    }
    return evidence;
}

}  // namespace
}  // namespace pipeline_bubble

void judgePipelineBubble(const RuleContext& context, Diagnosis& diagnosis) {
    using namespace pipeline_bubble;
    const Pipeline* const pipeline = slowestPipeline(context);
    if (pipeline == nullptr) {
        return;
    }
    const PipelineForecast& forecast = *pipeline->forecast;
    const DurationNs saving_ns =
        std::max(savedBy(forecast, forecast.more_micro_batches_ns), savedBy(forecast, forecast.more_stages_ns));
    std::optional<Finding> finding = pipelineFinding(context, *pipeline, FindingId::PipelineBubble, saving_ns);
    if (!finding) {
        return;
    }
    // Only the user knows how many micro-batches fit in a step. The range is from the first doubling, minus today's
    // error of the simulation, to no bubble at all.
    const DurationNs off_ns = std::abs(windowOf(*pipeline) - forecast.played_ns);
    finding->range = SavingRange{std::max<DurationNs>(0, saving_ns - off_ns),
                                 std::max(saving_ns, forecast.played_ns - forecast.full_ns)};
    finding->ranks = pipelineRanks(context);
    finding->blocked_ns = ofARankAndStep(*pipeline, pipeline->times().bubbleTotal());
    finding->title = bubbleTitle(context.sentences, context.facts.pipeline.pipelines, *pipeline,
                                 rankNamesWithin(context, pipeline->ranks));
    finding->why = whyText(context, *pipeline, *finding->range, off_ns);
    finding->remedies = context.advice.remedies(finding->id, conditionsOf(context, *pipeline));
    finding->evidence = evidenceOfBubble(context, *pipeline);
    diagnosis.findings.push_back(*std::move(finding));
}

}  // namespace rankscope
