// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/report/json/parts.h"

namespace rankscope::report {
namespace {

Json bubbleJson(const PipelineTimes& times) {
    Json out = Json::object();
    for (std::size_t i = 0; i < kBubbleCauses; ++i) {
        out[std::string(bubbleCauseName(static_cast<BubbleCause>(i)))] = times.bubble[i];
    }
    return out;
}

Json pipelineTimesJson(const PipelineTimes& times) {
    return {{"forward_ns", times.forward_ns},
            {"backward_ns", times.backward_ns},
            {"weight_gradient_ns", times.weight_gradient_ns},
            {"overlapped_ns", times.overlapped_ns},
            {"other_ns", times.other_ns},
            {"bubble_ns", bubbleJson(times)},
            {"outside_ns", times.outside_ns},
            {"beyond_ns", times.beyond_ns},
            {"idle_in_passes_ns", times.idle_in_passes_ns}};
}

/// Converts times of one rank to the times of a report.
class TimesOfRank {
  public:
    TimesOfRank(const AnalysedRun& run, RankPosition rank)
        : clock_(&run.clock.ranks[rank]), base_ns_(run.clock.base_ns) {}
    [[nodiscard]] DurationNs at(TimeNs file_ns) const { return clock_->toRun(FileTime(file_ns)) - base_ns_; }

  private:
    const RankClock* clock_;
    RunTime base_ns_;
};

Json pipelineRankJson(const AnalysedRun& run, RankPosition rank, const RankPipelineStep& step) {
    const TimesOfRank times(run, rank);
    Json passes = Json::array();
    for (const PipelinePass& pass : step.passes) {
        passes.push_back({{"kind", passKindName(pass.kind)},
                          {"stage", pass.stage >= 0 ? Json(pass.stage) : Json(nullptr)},
                          {"micro_batch", pass.micro_batch >= 0 ? Json(pass.micro_batch) : Json(nullptr)},
                          {"start_ns", times.at(pass.span.start_ns)},
                          {"end_ns", times.at(pass.span.end_ns)},
                          {"pieces", pass.pieces}});
    }
    Json bubble = Json::array();
    for (const BubblePart& part : step.bubble) {
        bubble.push_back({{"cause", bubbleCauseName(part.cause)},
                          {"start_ns", times.at(part.span.start_ns)},
                          {"end_ns", times.at(part.span.end_ns)}});
    }
    return {{"id", rank},
            {"times", pipelineTimesJson(step.times)},
            {"passes", std::move(passes)},
            {"bubble", std::move(bubble)}};
}

Json pipelineStepJson(const AnalysedRun& run, const Pipeline& pipeline, std::size_t at) {
    const PipelineStep& step = pipeline.steps[at];
    Json ranks = Json::array();
    for (std::size_t r = 0; r < step.ranks.size(); ++r) {
        ranks.push_back(pipelineRankJson(run, pipeline.ranks[r], step.ranks[r]));
    }
    const TimeSpan& window = step.window.plain();
    return {{"index", run.facts.steps[step.step].index},
            {"counted", std::ranges::find(pipeline.counted, at) != pipeline.counted.end()},
            {"start_ns", window.start_ns - run.clock.base_ns.plain()},
            {"end_ns", window.end_ns - run.clock.base_ns.plain()},
            {"bubble_share", step.bubbleShare()},
            {"ranks", std::move(ranks)}};
}

Json stageTimesJson(const Pipeline& pipeline) {
    Json stages = Json::array();
    for (const StageTime& stage : pipeline.stage_times) {
        stages.push_back({{"stage", stage.stage},
                          {"id", stage.rank},
                          {"forward_ns", stage.of(PassKind::Forward)},
                          {"backward_ns", stage.of(PassKind::Backward)},
                          {"weight_gradient_ns", stage.of(PassKind::WeightGradient)},
                          {"pieces", stage.pieces}});
    }
    return stages;
}

Json forecastJson(const std::optional<PipelineForecast>& forecast) {
    if (!forecast) {
        return nullptr;
    }
    return {{"played_ns", forecast->played_ns},
            {"hand_over_ns", forecast->hand_over_ns},
            {"even_ns", forecast->even_ns},
            {"as_others_ns", forecast->as_others_ns},
            {"full_ns", forecast->full_ns},
            {"more_micro_batches_ns", orNull(forecast->more_micro_batches_ns)},
            {"more_stages_ns", orNull(forecast->more_stages_ns)},
            {"moved_layer_ns", forecast->moved ? Json(forecast->moved->played_ns) : Json(nullptr)}};
}

Json onePipelineJson(const AnalysedRun& run, const Pipeline& pipeline) {
    Json ranks = Json::array();
    for (std::size_t r = 0; r < pipeline.ranks.size(); ++r) {
        ranks.push_back(
            {{"id", pipeline.ranks[r]},
             {"place", pipeline.places[r]},
             {"layers", r < pipeline.layers.of_ranks.size() ? Json(pipeline.layers.of_ranks[r]) : Json(nullptr)},
             {"times", pipelineTimesJson(pipeline.timesOf(r))}});
    }
    Json steps = Json::array();
    for (std::size_t s = 0; s < pipeline.steps.size(); ++s) {
        steps.push_back(pipelineStepJson(run, pipeline, s));
    }
    const bool told = !pipeline.steps.empty();
    return {{"group", pipeline.group},
            {"size", pipeline.size},
            {"passes_by", told ? Json(passSourceName(pipeline.source)) : Json(nullptr)},
            {"schedule", pipeline.schedule ? Json(scheduleName(*pipeline.schedule)) : Json(nullptr)},
            {"stages_per_rank", told ? Json(pipeline.stages_per_rank) : Json(nullptr)},
            {"folded", pipeline.folded},
            {"micro_batches", told ? Json(pipeline.micro_batches) : Json(nullptr)},
            {"evidence", pipeline.evidence},
            {"notes", pipeline.notes},
            {"counted_steps", pipeline.counted.size()},
            {"bubble_share", told ? Json(pipeline.bubbleShare()) : Json(nullptr)},
            {"theory_share", orNull(pipeline.theory)},
            {"layer", textOrNull(pipeline.layers.name)},
            {"stages", stageTimesJson(pipeline)},
            {"forecast", forecastJson(pipeline.forecast)},
            {"ranks", std::move(ranks)},
            {"steps", std::move(steps)}};
}

}  // namespace

Json pipelineJson(const AnalysedRun& run) {
    Json pipelines = Json::array();
    for (const Pipeline& pipeline : run.facts.pipeline.pipelines) {
        pipelines.push_back(onePipelineJson(run, pipeline));
    }
    return pipelines;
}

}  // namespace rankscope::report
