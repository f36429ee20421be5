// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

#include "core/analysis/pipeline/long_passes.h"
#include "core/base/format.h"
#include "core/base/statistics.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/evidence/lateness.h"
#include "core/diagnosis/evidence/stage_work.h"
#include "core/diagnosis/frame/rule.h"
#include "core/diagnosis/prices/pipeline_prices.h"

namespace rankscope {
namespace stage_imbalance {
namespace {

/// The time of each rank of a pipeline per micro-batch, by place. If a schedule splits the backward, medians do not
/// help; then it is the rank's busy time in the counted steps.
std::vector<DurationNs> microBatchTimes(const Pipeline& pipeline) {
    if (pipeline.forecast) {
        return rankTimes(pipeline);
    }
    const auto batches = static_cast<DurationNs>(pipeline.counted.size()) * std::max(1, pipeline.micro_batches);
    std::vector<DurationNs> times;
    for (std::size_t place = 0; place < pipeline.ranks.size(); ++place) {
        times.push_back(pipeline.timesOf(place).busy() / std::max<DurationNs>(1, batches));
    }
    return times;
}

/// Whether its ranks can be compared: all its stages and ranks are known.
bool isTold(const Pipeline& pipeline) {
    return pipeline.forecast ||
           (pipeline.schedule && !pipeline.counted.empty() && std::cmp_equal(pipeline.ranks.size(), pipeline.size) &&
            std::cmp_equal(pipeline.stage_times.size(), pipeline.stages()));
}

/// The slow ranks of a pipeline, by their place in Pipeline::ranks, slowest first.
struct SlowRanks {
    std::vector<std::size_t> places;
    DurationNs slowest_ns = 0;  ///< per micro-batch
    DurationNs mean_ns = 0;     ///< over all ranks
    std::size_t judged = 0;     ///< counted steps
    std::size_t slow_in = 0;    ///< of these: with the same rank busy longest

    /// The excess of the slowest rank over the mean rank, per step.
    [[nodiscard]] DurationNs excess(const Pipeline& pipeline) const {
        return (slowest_ns - mean_ns) * pipeline.micro_batches;
    }
};

/// The ranks that exceed the mean by at least half as much as the slowest.
SlowRanks slowRanks(const Pipeline& pipeline) {
    const std::vector<DurationNs> times = microBatchTimes(pipeline);
    SlowRanks slow;
    slow.slowest_ns = std::ranges::max(times);
    slow.mean_ns = meanOf(times);
    std::vector<std::size_t> places(times.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::stable_sort(places, std::greater<>(), [&](std::size_t place) { return times[place]; });
    for (const std::size_t place : places) {
        if (2 * (times[place] - slow.mean_ns) >= slow.slowest_ns - slow.mean_ns) {
            slow.places.push_back(place);
        }
    }
    for (const std::size_t step : pipeline.counted) {
        const auto& ranks = pipeline.steps[step].ranks;
        const auto busiest =
            std::ranges::max_element(ranks, {}, [](const RankPipelineStep& rank) { return rank.times.busy(); });
        ++slow.judged;
        slow.slow_in += static_cast<std::size_t>(busiest - ranks.begin()) == slow.places.front() ? 1U : 0U;
    }
    return slow;
}

/// The saving per step if the slow rank had no more work than the others. If it has no more work: if it took no longer.
DurationNs savedOf(const Pipeline& pipeline, const StageWork& work) {
    const PipelineForecast& forecast = *pipeline.forecast;
    return forecast.played_ns - (work.hasMore() ? forecast.even_ns : forecast.as_others_ns);
}

/// The same before the work is compared. 0 if even the larger of the two savings is below `least_ns`.
DurationNs savedOf(const RuleContext& context, const Pipeline& pipeline, std::size_t slowest, DurationNs least_ns) {
    const PipelineForecast& forecast = *pipeline.forecast;
    const DurationNs most_ns = forecast.played_ns - std::min(forecast.even_ns, forecast.as_others_ns);
    return most_ns < least_ns ? 0 : savedOf(pipeline, compareStageWork(context, pipeline, slowest));
}

DurationNs leastSaving(const RuleContext& context) {
    return static_cast<DurationNs>(Pricer::kLeastShare * static_cast<double>(context.facts.pricedStep()));
}

/// Whether a stage costs enough for a finding: by its saving, or, if the schedule cannot be simulated, by the excess of
/// the slowest rank over the mean rank. In the steady state, that rank is late by this much.
bool isWorthFinding(const RuleContext& context, const Pipeline& pipeline, const SlowRanks& slow) {
    if (pipeline.forecast) {
        const DurationNs least_ns = leastSaving(context);
        return savedOf(context, pipeline, slow.places.front(), least_ns) >= least_ns;
    }
    const auto step_ns = static_cast<double>(context.facts.pricedStep());
    return step_ns > 0 && static_cast<double>(slow.excess(pipeline)) >= kLeastLateness * step_ns;
}

/// The slow ranks of all pipelines in which they cost enough for a finding, ascending.
std::vector<RankPosition> slowOfAll(const RuleContext& context) {
    std::vector<RankPosition> ranks;
    for (const Pipeline& pipeline : context.facts.pipeline.pipelines) {
        if (!isTold(pipeline)) {
            continue;
        }
        const SlowRanks slow = slowRanks(pipeline);
        if (isWorthFinding(context, pipeline, slow)) {
            for (const std::size_t place : slow.places) {
                ranks.push_back(pipeline.ranks[place]);
            }
        }
    }
    std::ranges::sort(ranks);
    return ranks;
}

/// The pipeline of the finding: the one that takes longest when simulated, else the most uneven of those that cannot be
/// simulated. nullptr if none is known.
const Pipeline* judgedPipeline(const RuleContext& context) {
    if (const Pipeline* const played = slowestPipeline(context)) {
        return played;
    }
    const Pipeline* most = nullptr;
    DurationNs most_ns = 0;
    for (const Pipeline& pipeline : context.facts.pipeline.pipelines) {
        if (isTold(pipeline)) {
            const DurationNs excess_ns = slowRanks(pipeline).excess(pipeline);
            most = most == nullptr || excess_ns > most_ns ? &pipeline : most;
            most_ns = std::max(most_ns, excess_ns);
        }
    }
    return most;
}

std::string stagesText(const Pipeline& pipeline, RankPosition rank) {
    std::vector<std::int64_t> stages;
    for (const StageTime& stage : pipeline.stage_times) {
        if (stage.rank == rank) {
            stages.push_back(stage.stage);
        }
    }
    return (stages.size() == 1 ? "stage " : "stages ") + formatNumberList(stages);
}

/// How the layers are divided, and the gain from moving one; empty if unknown.
std::string layersText(const RuleContext& context, const Pipeline& pipeline) {
    if (!pipeline.forecast || !pipeline.forecast->moved) {
        return {};
    }
    const MovedLayer& moved = *pipeline.forecast->moved;
    std::string counts;
    for (const std::size_t count : pipeline.layers.of_ranks) {
        counts += (counts.empty() ? "" : ", ") + std::to_string(count);
    }
    return context.sentences.fill("stage-imbalance.layers",
                                  {{"layers", counts},
                                   {"name", pipeline.layers.name},
                                   {"time", formatDuration(moved.layer_ns)},
                                   {"from", rankNamesWithin(context, {pipeline.ranks[moved.from]})},
                                   {"to", rankNamesWithin(context, {pipeline.ranks[moved.to]})},
                                   {"moved", formatDuration(moved.played_ns)}});
}

/// "25 %" for "25 % longer"; "no" for 0 or less.
std::string shareText(double share) {
    const std::string text = formatPercent(std::max(0.0, share));
    return text == formatPercent(0) ? "no" : text;
}

/// The subject of a finding: a slow rank of a pipeline, or the ranks of several pipelines that run the same layers.
struct SlowStage {
    const Pipeline& pipeline;
    SlowRanks slow;
    StageWork work = {};
    std::vector<RankPosition> together = {};  ///< several ranks that are equally slow; empty for one rank

    [[nodiscard]] RankPosition slowest() const { return pipeline.ranks[slow.places.front()]; }
    [[nodiscard]] bool isOfSeveral() const { return together.size() > 1; }
};

std::string titleText(const RuleContext& context, const SlowStage& stage) {
    const Sentences& say = context.sentences;
    std::string stages = stagesText(stage.pipeline, stage.slowest());
    if (!stage.isOfSeveral()) {
        return say.fill("stage-imbalance.title", {{"stages", stages}, {"who", rankNames(context, {stage.slowest()})}});
    }
    const bool one = stages.starts_with("stage ");
    stages.front() = 'S';
    return say.fill(one ? "stage-imbalance.title-stage" : "stage-imbalance.title-stages",
                    {{"stages", stages}, {"ranks", rankNamesWithin(context, stage.together)}});
}

/// Why it takes longer, and its time if it were like the others.
std::string workText(const RuleContext& context, const SlowStage& stage) {
    const Sentences& say = context.sentences;
    const std::string slower = shareText(stage.work.slower);
    const std::string more = shareText(stage.work.more);
    if (stage.work.hasMore()) {
        return say.fill("stage-imbalance.more-work", {{"slower", slower}, {"more", more}});
    }
    std::string text =
        say.fill(stage.isOfSeveral() ? "stage-imbalance.same-work-of-stage" : "stage-imbalance.same-work",
                 {{"slower", slower}, {"more", more}});
    if (stage.pipeline.forecast) {
        text +=
            say.fill("stage-imbalance.as-others", {{"played", formatDuration(stage.pipeline.forecast->as_others_ns)}});
    }
    return text;
}

/// The step with an even division, if simulated; else empty.
std::string evenText(const RuleContext& context, const Pipeline& pipeline) {
    const Sentences& say = context.sentences;
    return pipeline.forecast
               ? say.fill("stage-imbalance.even", {{"even", formatDuration(pipeline.forecast->even_ns)},
                                                   {"played", formatDuration(pipeline.forecast->played_ns)}})
               : say.fill("stage-imbalance.not-played", {{"schedule", std::string(scheduleTitle(*pipeline.schedule))}});
}

/// Whether the others wait partly for single long passes, not for a stage; empty if not.
std::string longPassesText(const RuleContext& context, const Pipeline& pipeline) {
    const std::string text = longPassesText(context.run, context.facts, pipeline, longPasses(pipeline));
    return text.empty() ? text : " " + text;
}

std::string whyText(const RuleContext& context, const SlowStage& stage) {
    const Pipeline& pipeline = stage.pipeline;
    const Sentences& say = context.sentences;
    const std::string stages = stagesText(pipeline, stage.slowest());
    const std::string who = stage.isOfSeveral()
                                ? say.fill("stage-imbalance.who-stage",
                                           {{"ranks", rankNamesWithin(context, stage.together)}, {"stages", stages}})
                                : say.fill("stage-imbalance.who-rank",
                                           {{"who", rankNames(context, {stage.slowest()})}, {"stages", stages}});
    const DurationNs waits_ns = ofARankAndStep(pipeline, pipeline.times().bubbleOf(BubbleCause::StageWait));
    return say.fill("stage-imbalance.why", {{"who", who},
                                            {"slowest", formatDuration(stage.slow.slowest_ns)},
                                            {"mean", formatDuration(stage.slow.mean_ns)},
                                            {"waits", formatDuration(waits_ns)},
                                            {"even", evenText(context, pipeline)},
                                            {"seen", std::to_string(stage.slow.slow_in)},
                                            {"steps", countText(stage.slow.judged, "step")}}) +
           workText(context, stage) + layersText(context, pipeline) + longPassesText(context, pipeline);
}

std::vector<std::string> conditionsOf(const SlowStage& stage) {
    std::vector<std::string> conditions;
    for (const StageTime& time : stage.pipeline.stage_times) {
        if (time.rank == stage.slowest() && time.stage == 0) {
            conditions.emplace_back("first-stage");
        }
        if (time.rank == stage.slowest() && time.stage + 1 == stage.pipeline.stages()) {
            conditions.emplace_back("last-stage");
        }
    }
    if (!stage.work.hasMore() && !stage.isOfSeveral()) {  // several devices are not equally slow by chance
        conditions.emplace_back("same-work");
    }
    return conditions;
}

/// The longest passes of the slowest rank in the first counted step, and those of a rank that is not slow.
std::vector<Evidence> evidenceOfStages(const RuleContext& context, const Pipeline& pipeline, const SlowRanks& slow) {
    constexpr std::size_t kMost = 4;
    const PipelineStep& step = pipeline.steps[pipeline.counted.front()];
    std::vector<PipelinePass> passes = step.ranks[slow.places.front()].passes;
    std::ranges::stable_sort(passes, std::greater<>(), [](const PipelinePass& pass) { return pass.span.length(); });
    std::vector<Evidence> evidence;
    for (const PipelinePass& pass : passes) {
        if (pass.work.valid() && evidence.size() < kMost) {
            evidence.push_back(
                {pipeline.ranks[slow.places.front()], context.facts.steps[step.step].index, pass.work,
                 context.sentences.fill("stage-imbalance.note", {{"kind", std::string(passKindName(pass.kind))},
                                                                 {"micro_batch", std::to_string(pass.micro_batch)},
                                                                 {"time", formatDuration(pass.span.length())}})});
        }
    }
    return evidence;
}

/// The rank at one place of a pipeline, compared with the mean of all its ranks, per micro-batch.
struct PlaceExcess {
    RankPosition rank;
    DurationNs time_ns = 0;         ///< from the medians of its passes, including their communication
    DurationNs computation_ns = 0;  ///< its own compute in these passes
};

PlaceExcess excessAt(const RuleContext& context, const Pipeline& pipeline, std::int32_t place) {
    const auto at = static_cast<std::size_t>(std::ranges::find(pipeline.places, place) - pipeline.places.begin());
    const std::vector<DurationNs> times = microBatchTimes(pipeline);
    const std::vector<DurationNs> computation = computationInPasses(context, pipeline);
    return {pipeline.ranks[at], times[at] - meanOf(times),
            (computation[at] - meanOf(computation)) / std::max(1, pipeline.micro_batches)};
}

/// The same place in all pipelines of that size: the ranks that run the same layers.
std::vector<PlaceExcess> samePlaces(const RuleContext& context, const Pipeline& pipeline, std::int32_t place) {
    std::vector<PlaceExcess> all;
    for (const Pipeline& other : context.facts.pipeline.pipelines) {
        if (isTold(other) && other.size == pipeline.size) {
            all.push_back(excessAt(context, other, place));
        }
    }
    return all;
}

/// Whether most exceed the mean by at least half as much as the largest excess.
bool areMostSlow(const std::vector<PlaceExcess>& all, DurationNs PlaceExcess::*by) {
    const DurationNs most_ns = (*std::ranges::max_element(all, {}, by)).*by;
    const auto slow = std::ranges::count_if(all, [&](const PlaceExcess& one) { return 2 * (one.*by) >= most_ns; });
    return 2 * static_cast<std::size_t>(slow) > all.size();
}

/// Whether the cause is the division of layers, not one device: all ranks that run slow layers are slow. Ranks that
/// share layers wait for each other in each layer, so all passes take as long as the slowest rank's. If compute is most
/// of the excess, the ranks' own compute must show it on most of them too.
bool isOfStage(const std::vector<PlaceExcess>& all) {
    const DurationNs time_ns = std::ranges::max(all, {}, &PlaceExcess::time_ns).time_ns;
    const DurationNs computation_ns = std::ranges::max(all, {}, &PlaceExcess::computation_ns).computation_ns;
    return areMostSlow(all, &PlaceExcess::time_ns) &&
           (2 * computation_ns < time_ns || areMostSlow(all, &PlaceExcess::computation_ns));
}

std::vector<RankPosition> ranksOf(const std::vector<PlaceExcess>& all) {
    std::vector<RankPosition> ranks;
    for (const PlaceExcess& one : all) {
        ranks.push_back(one.rank);
    }
    std::ranges::sort(ranks);
    return ranks;
}

/// Selects findings about late ranks that are all in `ranks`.
auto lateAmong(const std::vector<RankPosition>& ranks) {
    return [&ranks](const Finding& finding) {
        return finding.id == FindingId::StragglerRank && std::ranges::includes(ranks, finding.ranks);
    };
}

/// A finding without a price, for a pipeline whose schedule cannot be simulated; without texts, remedies, evidence and
/// ranks. Nothing if the slowest rank costs too little.
std::optional<Finding> unpricedFinding(const RuleContext& context, const Pipeline& pipeline, const SlowRanks& slow) {
    if (!isWorthFinding(context, pipeline, slow)) {
        return std::nullopt;
    }
    Finding finding;
    finding.id = FindingId::StageImbalance;
    finding.severity = Severity::Low;
    finding.confidence = Confidence::Medium;
    finding.why_confidence = {context.sentences.fill("confidence.counted", {})};
    for (const std::size_t step : pipeline.counted) {
        finding.steps.push_back(context.facts.steps[pipeline.steps[step].step].index);
    }
    for (const Pipeline& told : context.facts.pipeline.pipelines) {
        if (isTold(told)) {
            finding.paying_ranks.insert(finding.paying_ranks.end(), told.ranks.begin(), told.ranks.end());
        }
    }
    std::ranges::sort(finding.paying_ranks);
    return finding;
}

/// A finding about a slow stage, with its price if there is one, and the ranks that it is about.
std::optional<Finding> findingOf(const RuleContext& context, SlowStage& stage) {
    std::optional<Finding> finding;
    if (stage.pipeline.forecast) {
        stage.work = compareStageWork(context, stage.pipeline, stage.slow.places.front());
        finding =
            pipelineFinding(context, stage.pipeline, FindingId::StageImbalance, savedOf(stage.pipeline, stage.work));
    } else {
        finding = unpricedFinding(context, stage.pipeline, stage.slow);
        if (finding) {
            stage.work = compareStageWork(context, stage.pipeline, stage.slow.places.front());
        }
    }
    if (finding && 4 * stage.slow.slow_in < 3 * stage.slow.judged) {
        finding->confidence = Confidence::Low;
        finding->why_confidence.push_back(context.sentences.fill(
            "confidence.seldom-seen",
            {{"seen", std::to_string(stage.slow.slow_in)}, {"steps", std::to_string(stage.slow.judged)}}));
    }
    if (finding) {
        finding->ranks = slowOfAll(context);
        std::erase_if(finding->paying_ranks,
                      [&](RankPosition rank) { return std::ranges::binary_search(finding->ranks, rank); });
    }
    return finding;
}

}  // namespace
}  // namespace stage_imbalance

void judgeStageImbalance(const RuleContext& context, Diagnosis& diagnosis) {
    using namespace stage_imbalance;
    const Pipeline* const pipeline = judgedPipeline(context);
    if (pipeline == nullptr) {
        return;
    }
    SlowStage stage{*pipeline, slowRanks(*pipeline)};
    std::optional<Finding> finding = findingOf(context, stage);
    if (!finding || 2 * stage.slow.slow_in < stage.slow.judged) {
        return;  // another rank is slow in most steps, so the division of layers is not the cause
    }
    const std::vector<PlaceExcess> alike = samePlaces(context, *pipeline, pipeline->places[stage.slow.places.front()]);
    const bool of_stage = isOfStage(alike);
    if ((!of_stage || finding->saving_ns <= 0) && std::ranges::any_of(diagnosis.findings, lateAmong(ranksOf(alike)))) {
        return;  // not all ranks of these layers are slow, or there is no price: the late ranks have findings already
    }
    std::erase_if(diagnosis.findings, lateAmong(finding->ranks));  // a slow stage is late for all ranks
    if (of_stage) {
        std::ranges::set_intersection(ranksOf(alike), finding->ranks, std::back_inserter(stage.together));
    }
    finding->blocked_ns = ofARankAndStep(*pipeline, pipeline->times().bubbleOf(BubbleCause::StageWait));
    finding->title = titleText(context, stage);
    finding->why = whyText(context, stage);
    finding->remedies = context.advice.remedies(finding->id, conditionsOf(stage));
    finding->evidence = evidenceOfStages(context, *pipeline, stage.slow);
    diagnosis.findings.push_back(*std::move(finding));
}

}  // namespace rankscope
