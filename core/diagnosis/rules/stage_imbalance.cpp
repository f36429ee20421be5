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

/// What each rank of a pipeline takes of a micro-batch, by place. Where a schedule has backwards of two kinds medians
/// tell nothing, and it is what the rank is busy in a counted step.
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

/// Whether its ranks can be compared: all stages are known, and all of its ranks.
bool isTold(const Pipeline& pipeline) {
    return pipeline.forecast ||
           (pipeline.schedule && !pipeline.counted.empty() && std::cmp_equal(pipeline.ranks.size(), pipeline.size) &&
            std::cmp_equal(pipeline.stage_times.size(), pipeline.stages()));
}

/// Which ranks of a pipeline are slow, by their place in Pipeline::ranks, the slowest first.
struct SlowRanks {
    std::vector<std::size_t> places;
    DurationNs slowest_ns = 0;  ///< of a micro-batch
    DurationNs mean_ns = 0;     ///< of all ranks
    std::size_t judged = 0;     ///< counted steps
    std::size_t slow_in = 0;    ///< of these: in which the same rank is busy longest

    /// What the slowest takes longer than the mean rank in a step.
    [[nodiscard]] DurationNs excess(const Pipeline& pipeline) const {
        return (slowest_ns - mean_ns) * pipeline.micro_batches;
    }
};

/// Those that are at least half as much above the mean as the slowest.
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

/// What a step would save if the slow rank had no more work than the others, or where it has none, took no longer.
DurationNs savedOf(const Pipeline& pipeline, const StageWork& work) {
    const PipelineForecast& forecast = *pipeline.forecast;
    return forecast.played_ns - (work.hasMore() ? forecast.even_ns : forecast.as_others_ns);
}

/// The same where that is not known yet: the most that it can be, and 0 where that is below `least_ns`.
DurationNs savedOf(const RuleContext& context, const Pipeline& pipeline, std::size_t slowest, DurationNs least_ns) {
    const PipelineForecast& forecast = *pipeline.forecast;
    const DurationNs most_ns = forecast.played_ns - std::min(forecast.even_ns, forecast.as_others_ns);
    return most_ns < least_ns ? 0 : savedOf(pipeline, compareStageWork(context, pipeline, slowest));
}

DurationNs leastSaving(const RuleContext& context) {
    return static_cast<DurationNs>(Pricer::kLeastShare * static_cast<double>(context.facts.pricedStep()));
}

/// Whether a stage costs enough for a finding: by what it saves, or, where that is not played, by how much longer than
/// the mean rank the slowest is at work, by which it is late in the steady state.
bool isWorthFinding(const RuleContext& context, const Pipeline& pipeline, const SlowRanks& slow) {
    if (pipeline.forecast) {
        const DurationNs least_ns = leastSaving(context);
        return savedOf(context, pipeline, slow.places.front(), least_ns) >= least_ns;
    }
    const auto step_ns = static_cast<double>(context.facts.pricedStep());
    return step_ns > 0 && static_cast<double>(slow.excess(pipeline)) >= kLeastLateness * step_ns;
}

/// The slow ranks of all pipelines in which that costs enough for a finding, ascending.
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
/// simulated; nullptr if none is known.
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

/// How the layers are divided, and what moving one would give; empty where that is not known.
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

/// "25 %" for "25 % longer", and "no" where that is nothing, or less.
std::string shareText(double share) {
    const std::string text = formatPercent(std::max(0.0, share));
    return text == formatPercent(0) ? "no" : text;
}

/// What a finding is about: a slow rank of a pipeline, or the ranks of several that run the same layers.
struct SlowStage {
    const Pipeline& pipeline;
    SlowRanks slow;
    StageWork work = {};
    std::vector<RankPosition> together = {};  ///< several ranks that are slow alike; empty where it is one

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

/// Why it takes longer, and what it would take as the others.
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

/// What an even division would take, where that is played.
std::string evenText(const RuleContext& context, const Pipeline& pipeline) {
    const Sentences& say = context.sentences;
    return pipeline.forecast
               ? say.fill("stage-imbalance.even", {{"even", formatDuration(pipeline.forecast->even_ns)},
                                                   {"played", formatDuration(pipeline.forecast->played_ns)}})
               : say.fill("stage-imbalance.not-played", {{"schedule", std::string(scheduleTitle(*pipeline.schedule))}});
}

/// Whether single passes, and no stage, are a part of what others wait for; empty where none is.
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
    if (!stage.work.hasMore() && !stage.isOfSeveral()) {  // many devices are not slow alike by chance
        conditions.emplace_back("same-work");
    }
    return conditions;
}

/// The longest passes of the slowest rank in the first counted step, and of one that is not slow.
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

/// The rank at one place of a pipeline beside the mean of all of its ranks, for a micro-batch.
struct PlaceExcess {
    RankPosition rank;
    DurationNs time_ns = 0;         ///< by the medians of its passes, with what it exchanges in them
    DurationNs computation_ns = 0;  ///< that it computes in them itself
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

/// Whether most are at least half as far above the mean as the one that is farthest.
bool areMostSlow(const std::vector<PlaceExcess>& all, DurationNs PlaceExcess::*by) {
    const DurationNs most_ns = (*std::ranges::max_element(all, {}, by)).*by;
    const auto slow = std::ranges::count_if(all, [&](const PlaceExcess& one) { return 2 * (one.*by) >= most_ns; });
    return 2 * static_cast<std::size_t>(slow) > all.size();
}

/// Whether it is how the layers are divided, and not one device: layers make all ranks slow that run them. Ranks that
/// share layers wait for one another in each, and take as long for a pass as the slowest of them, so that their own
/// computation tells which of them it is, where it is most of why.
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

/// The findings of late ranks that `ranks` hold.
auto lateAmong(const std::vector<RankPosition>& ranks) {
    return [&ranks](const Finding& finding) {
        return finding.id == FindingId::StragglerRank && std::ranges::includes(ranks, finding.ranks);
    };
}

/// A finding without a price, of a pipeline whose schedule is not played: all but its texts, remedies, evidence and
/// ranks. Nothing where the slowest rank costs too little.
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

/// A finding of a slow stage with its price, if it has one, and whom it is about.
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
        return;  // in most steps another rank is slow: it is not how the layers are divided
    }
    const std::vector<PlaceExcess> alike = samePlaces(context, *pipeline, pipeline->places[stage.slow.places.front()]);
    const bool of_stage = isOfStage(alike);
    if ((!of_stage || finding->saving_ns <= 0) && std::ranges::any_of(diagnosis.findings, lateAmong(ranksOf(alike)))) {
        return;  // not on all ranks that run these layers, or without a price: those that are slow have their finding
    }
    std::erase_if(diagnosis.findings, lateAmong(finding->ranks));  // a slow stage is late to what all ranks wait in
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
