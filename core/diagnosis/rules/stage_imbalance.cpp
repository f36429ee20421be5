// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "core/base/format.h"
#include "core/base/statistics.h"
#include "core/diagnosis/evidence.h"
#include "core/diagnosis/pipeline_prices.h"
#include "core/diagnosis/rule.h"
#include "core/diagnosis/stage_work.h"

namespace rankscope {
namespace {

/// Which ranks of a pipeline are slow, by their place in Pipeline::ranks, the slowest first.
struct SlowRanks {
    std::vector<std::size_t> places;
    DurationNs slowest_ns = 0;  ///< of a micro-batch
    DurationNs mean_ns = 0;     ///< of all ranks
    std::size_t judged = 0;     ///< counted steps
    std::size_t slow_in = 0;    ///< of these: in which the same rank is busy longest
};

/// Those that are at least half as much above the mean as the slowest.
SlowRanks slowRanks(const Pipeline& pipeline) {
    const std::vector<DurationNs> times = rankTimes(pipeline);
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

/// The slow ranks of all pipelines in which that costs enough for a finding, ascending.
std::vector<RankPosition> slowOfAll(const RuleContext& context) {
    const DurationNs least_ns = leastSaving(context);
    std::vector<RankPosition> ranks;
    for (const Pipeline& pipeline : context.facts.pipeline.pipelines) {
        if (!pipeline.forecast) {
            continue;
        }
        const SlowRanks slow = slowRanks(pipeline);
        if (savedOf(context, pipeline, slow.places.front(), least_ns) >= least_ns) {
            for (const std::size_t place : slow.places) {
                ranks.push_back(pipeline.ranks[place]);
            }
        }
    }
    std::ranges::sort(ranks);
    return ranks;
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
    const std::optional<MovedLayer>& moved = pipeline.forecast->moved;
    if (!moved) {
        return {};
    }
    std::string counts;
    for (const std::size_t count : pipeline.layers.of_ranks) {
        counts += (counts.empty() ? "" : ", ") + std::to_string(count);
    }
    return context.sentences.fill("stage-imbalance.layers",
                                  {{"layers", counts},
                                   {"name", pipeline.layers.name},
                                   {"time", formatDuration(moved->layer_ns)},
                                   {"from", rankNames(context, {pipeline.ranks[moved->from]})},
                                   {"to", rankNames(context, {pipeline.ranks[moved->to]})},
                                   {"moved", formatDuration(moved->played_ns)}});
}

/// "25.0 %", and nothing at all where it is less.
std::string shareText(double share) {
    return formatPercent(std::max(0.0, share));
}

std::string whyText(const RuleContext& context, const Pipeline& pipeline, const SlowRanks& slow,
                    const StageWork& work) {
    const RankPosition rank = pipeline.ranks[slow.places.front()];
    const DurationNs waits_ns = ofARankAndStep(pipeline, pipeline.times().bubbleOf(BubbleCause::StageWait));
    std::string text =
        context.sentences.fill("stage-imbalance.why", {{"stages", stagesText(pipeline, rank)},
                                                       {"who", rankNames(context, {rank})},
                                                       {"slowest", formatDuration(slow.slowest_ns)},
                                                       {"mean", formatDuration(slow.mean_ns)},
                                                       {"waits", formatDuration(waits_ns)},
                                                       {"even", formatDuration(pipeline.forecast->even_ns)},
                                                       {"played", formatDuration(pipeline.forecast->played_ns)},
                                                       {"seen", std::to_string(slow.slow_in)},
                                                       {"steps", countText(slow.judged, "step")}});
    const std::string slower = shareText(work.slower);
    const std::string more = shareText(work.more);
    text +=
        work.hasMore()
            ? context.sentences.fill("stage-imbalance.more-work", {{"slower", slower}, {"more", more}})
            : context.sentences.fill(
                  "stage-imbalance.same-work",
                  {{"slower", slower}, {"more", more}, {"played", formatDuration(pipeline.forecast->as_others_ns)}});
    return text + layersText(context, pipeline);
}

std::vector<std::string> conditionsOf(const Pipeline& pipeline, const SlowRanks& slow, const StageWork& work) {
    const RankPosition rank = pipeline.ranks[slow.places.front()];
    std::vector<std::string> conditions;
    for (const StageTime& stage : pipeline.stage_times) {
        if (stage.rank == rank && stage.stage == 0) {
            conditions.emplace_back("first-stage");
        }
        if (stage.rank == rank && stage.stage + 1 == pipeline.stages()) {
            conditions.emplace_back("last-stage");
        }
    }
    if (!work.hasMore()) {
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
    const std::vector<DurationNs> times = rankTimes(pipeline);
    const std::vector<DurationNs> computation = computationInPasses(context, pipeline);
    return {pipeline.ranks[at], times[at] - meanOf(times),
            (computation[at] - meanOf(computation)) / std::max(1, pipeline.micro_batches)};
}

/// The same place in all pipelines of that size: the ranks that run the same layers.
std::vector<PlaceExcess> samePlaces(const RuleContext& context, const Pipeline& pipeline, std::int32_t place) {
    std::vector<PlaceExcess> all;
    for (const Pipeline& other : context.facts.pipeline.pipelines) {
        if (other.forecast && other.size == pipeline.size) {
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

}  // namespace

void judgeStageImbalance(const RuleContext& context, Diagnosis& diagnosis) {
    const Pipeline* const pipeline = slowestPipeline(context);
    if (pipeline == nullptr) {
        return;
    }
    const SlowRanks slow = slowRanks(*pipeline);
    const RankPosition slowest = pipeline->ranks[slow.places.front()];
    const StageWork work = compareStageWork(context, *pipeline, slow.places.front());
    const DurationNs saving_ns = savedOf(*pipeline, work);
    std::optional<Finding> finding = pipelineFinding(context, *pipeline, FindingId::StageImbalance, saving_ns);
    if (!finding || 2 * slow.slow_in < slow.judged) {
        return;  // in most steps another rank is slow: it is not how the layers are divided
    }
    if (4 * slow.slow_in < 3 * slow.judged) {
        finding->confidence = Confidence::Low;
        finding->why_confidence.push_back(context.sentences.fill(
            "confidence.seldom-seen",
            {{"seen", std::to_string(slow.slow_in)}, {"steps", countText(slow.judged, "step")}}));
    }
    finding->ranks = slowOfAll(context);
    const std::vector<PlaceExcess> alike = samePlaces(context, *pipeline, pipeline->places[slow.places.front()]);
    if (!isOfStage(alike) && std::ranges::any_of(diagnosis.findings, lateAmong(ranksOf(alike)))) {
        return;  // not on all ranks that run these layers: those that are slow have a finding of their own
    }
    std::erase_if(diagnosis.findings, lateAmong(finding->ranks));  // a slow stage is late to what all ranks wait in
    finding->blocked_ns = ofARankAndStep(*pipeline, pipeline->times().bubbleOf(BubbleCause::StageWait));
    finding->title = context.sentences.fill(
        "stage-imbalance.title", {{"stages", stagesText(*pipeline, slowest)}, {"who", rankNames(context, {slowest})}});
    finding->why = whyText(context, *pipeline, slow, work);
    finding->remedies = context.advice.remedies(finding->id, conditionsOf(*pipeline, slow, work));
    finding->evidence = evidenceOfStages(context, *pipeline, slow);
    diagnosis.findings.push_back(*std::move(finding));
}

}  // namespace rankscope
