// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/whatif/played_pipelines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>

#include "core/analysis/pipeline/forecast_pipeline.h"
#include "core/analysis/pipeline/schedule_orders.h"
#include "core/base/format.h"
#include "core/diagnosis/prices/pipeline_prices.h"
#include "core/whatif/activations.h"
#include "core/whatif/refusal.h"

namespace rankscope {
namespace {

using PassTimes = std::array<DurationNs, kPassKinds>;

constexpr auto kBackward = static_cast<std::size_t>(PassKind::Backward);
constexpr auto kWeights = static_cast<std::size_t>(PassKind::WeightGradient);

/// A schedule with its dimensions.
struct Planned {
    Schedule schedule = Schedule::GPipe;
    PipelineShape shape;
};

bool splitsBackward(Schedule schedule) {
    return schedule == Schedule::ZeroBubble || schedule == Schedule::DualPipe;
}

Planned todayOf(const Pipeline& pipeline) {
    return {*pipeline.schedule, {pipeline.size, pipeline.stages_per_rank, pipeline.micro_batches, pipeline.folded}};
}

Planned plannedFor(const Pipeline& pipeline, const PipelinePlan& plan) {
    Planned planned = todayOf(pipeline);
    planned.shape.micro_batches = plan.micro_batches.value_or(pipeline.micro_batches);
    if (plan.schedule && *plan.schedule != planned.schedule) {
        planned.schedule = *plan.schedule;
        planned.shape.folded = false;
        planned.shape.stages_per_rank =
            planned.schedule == Schedule::Interleaved ? std::max(2, pipeline.stages_per_rank) : 1;
    }
    return planned;
}

bool hasSplitTimes(const Pipeline& pipeline) {
    return std::ranges::any_of(pipeline.stage_times,
                               [](const StageTime& stage) { return stage.of(PassKind::WeightGradient) > 0; });
}

/// How much longer a pass of half a stage may take than half of that stage's pass, as a share: each pass has a start
/// and an end that its layers do not have. Assumed.
constexpr double kDividedPass = 0.1;

/// Whether the time of the gradient of the weights is not known, and the plan needs it.
bool guessesSplit(const Pipeline& pipeline, const PipelinePlan& plan) {
    return splitsBackward(plannedFor(pipeline, plan).schedule) && !hasSplitTimes(pipeline);
}

std::optional<std::vector<std::vector<PassId>>> ordersIn(const Planned& planned) {
    std::vector<std::vector<PassId>> orders;
    for (std::int32_t place = 0; place < planned.shape.ranks; ++place) {
        auto order = passOrder(planned.schedule, planned.shape, place);
        if (!order) {
            return std::nullopt;
        }
        orders.push_back(std::move(*order));
    }
    return orders;
}

/// The times of the passes of each rank for a micro-batch, over all of its stages; by place.
std::vector<PassTimes> timesByPlace(const Pipeline& pipeline, const std::vector<StageTime>& stages) {
    std::vector<PassTimes> places(pipeline.ranks.size());
    for (const StageTime& stage : stages) {
        const auto place = std::ranges::find(pipeline.ranks, stage.rank) - pipeline.ranks.begin();
        for (std::size_t kind = 0; kind < kPassKinds; ++kind) {
            places[static_cast<std::size_t>(place)][kind] += stage.by_kind[kind];
        }
    }
    return places;
}

void makeEven(std::vector<PassTimes>& places) {
    for (std::size_t kind = 0; kind < kPassKinds; ++kind) {
        DurationNs sum_ns = 0;
        for (const PassTimes& place : places) {
            sum_ns += place[kind];
        }
        for (PassTimes& place : places) {
            place[kind] = sum_ns / static_cast<DurationNs>(places.size());
        }
    }
}

/// Half of a whole backward is taken for the gradient of the weights, which multiplies as much as that of the inputs.
void splitOrJoin(bool split, std::vector<PassTimes>& places) {
    for (PassTimes& place : places) {
        if (split && place[kWeights] == 0) {
            place[kWeights] = place[kBackward] / 2;
            place[kBackward] -= place[kWeights];
        } else if (!split) {
            place[kBackward] += std::exchange(place[kWeights], 0);
        }
    }
}

/// The place of the rank that has a stage.
std::size_t placeOf(const PipelineShape& shape, std::int32_t stage) {
    const bool back = shape.folded && stage >= shape.ranks;
    return static_cast<std::size_t>(back ? shape.stages() - 1 - stage : stage % shape.ranks);
}

DurationNs sumOf(const PassTimes& times) {
    return std::accumulate(times.begin(), times.end(), DurationNs{0});
}

PlayedTimes timesFor(const Pipeline& pipeline, const std::vector<StageTime>& stages, const PipelinePlan& plan) {
    const Planned planned = plannedFor(pipeline, plan);
    PlayedTimes times{.stages = {}, .hand_over_ns = pipeline.forecast->hand_over_ns};
    if (planned.schedule == *pipeline.schedule && !plan.even) {
        std::ranges::transform(stages, std::back_inserter(times.stages), &StageTime::by_kind);
        return times;
    }
    std::vector<PassTimes> places = timesByPlace(pipeline, stages);
    splitOrJoin(splitsBackward(planned.schedule), places);
    if (plan.even) {
        makeEven(places);
    }
    for (std::int32_t stage = 0; stage < planned.shape.stages(); ++stage) {
        PassTimes of_stage = places[placeOf(planned.shape, stage)];
        std::ranges::for_each(of_stage, [&](DurationNs& ns) { ns /= planned.shape.stages_per_rank; });
        times.stages.push_back(of_stage);
    }
    return times;
}

std::optional<DurationNs> playPlan(const Pipeline& pipeline, const std::vector<StageTime>& stages,
                                   const PipelinePlan& plan) {
    const auto orders = ordersIn(plannedFor(pipeline, plan));
    return orders ? playSchedule(*orders, timesFor(pipeline, stages, plan)) : std::nullopt;
}

/// How many times as long each place computes with a plan.
std::vector<double> busyByPlace(const Pipeline& pipeline, const std::vector<StageTime>& stages,
                                const PipelinePlan& plan) {
    const Planned planned = plannedFor(pipeline, plan);
    const PlayedTimes times = timesFor(pipeline, stages, plan);
    std::vector<DurationNs> then(pipeline.ranks.size());
    for (std::int32_t stage = 0; stage < planned.shape.stages(); ++stage) {
        then[placeOf(planned.shape, stage)] += sumOf(times.stages[static_cast<std::size_t>(stage)]);
    }
    const double passes = static_cast<double>(planned.shape.micro_batches) / pipeline.micro_batches;
    std::vector<double> busy;
    for (const PassTimes& today : timesByPlace(pipeline, stages)) {
        const DurationNs today_ns = sumOf(today);
        busy.push_back(today_ns > 0 ? passes * static_cast<double>(then[busy.size()]) / static_cast<double>(today_ns)
                                    : passes);
    }
    return busy;
}

/// Where a pass is in a replay: from the new start of the work that began it to the new end of the work that ended it.
class MovedPasses {
  public:
    MovedPasses(const ReplayModel& model, const ReplayedRank& replayed) : replayed_(replayed) {
        for (std::size_t i = 0; i < model.events.size(); ++i) {
            if (!replayed.work[i].empty()) {
                starts_.emplace_back(model.events[i].span.start_ns, i);
                ends_.emplace_back(model.events[i].span.end_ns, i);
            }
        }
        std::ranges::sort(starts_);
        std::ranges::sort(ends_);
    }

    [[nodiscard]] TimeSpan of(const TimeSpan& pass) const {
        const auto first = std::ranges::lower_bound(starts_, pass.start_ns, {}, &Instant::first);
        const auto last = std::ranges::lower_bound(ends_, pass.end_ns, {}, &Instant::first);
        if (first == starts_.end() || first->first != pass.start_ns || last == ends_.end() ||
            last->first != pass.end_ns) {
            return pass;
        }
        const TimeSpan moved{replayed_.work[first->second].start_ns, replayed_.work[last->second].end_ns};
        return moved.empty() ? pass : moved;
    }

  private:
    using Instant = std::pair<TimeNs, std::size_t>;  ///< and the event

    const ReplayedRank& replayed_;
    std::vector<Instant> starts_;
    std::vector<Instant> ends_;
};

/// The stage times of a pipeline as replayed.
std::vector<StageTime> replayedTimes(const RuleContext& context, const std::vector<ReplayedRank>& replayed,
                                     const Pipeline& pipeline) {
    Pipeline moved = pipeline;
    for (std::size_t r = 0; r < moved.ranks.size(); ++r) {
        const RankPosition rank = moved.ranks[r];
        if (rank >= replayed.size() || replayed[rank].work.empty()) {
            continue;
        }
        const MovedPasses passes(context.pricer.model().ranks[rank], replayed[rank]);
        for (const std::size_t step : moved.counted) {
            for (PipelinePass& pass : moved.steps[step].ranks[r].passes) {
                pass.span = passes.of(pass.span);
            }
        }
    }
    return stageTimes(moved);
}

/// How many micro-batches a rank keeps activations of at most, in shares of all its layers; nothing for schedules
/// without a fixed order.
std::optional<double> keptBy(const Planned& planned, std::int32_t place) {
    const auto order = passOrder(planned.schedule, planned.shape, place);
    if (!order) {
        return std::nullopt;
    }
    const PassKind frees = splitsBackward(planned.schedule) ? PassKind::WeightGradient : PassKind::Backward;
    std::int32_t kept = 0;
    std::int32_t most = 0;
    for (const PassId& pass : *order) {
        kept += pass.kind == PassKind::Forward ? 1 : pass.kind == frees ? -1 : 0;
        most = std::max(most, kept);
    }
    return static_cast<double>(most) / planned.shape.stages_per_rank;
}

/// "Rank 0 then keeps activations of 16 micro-batches instead of 8: about 2.0 GB instead of 1.0 GB."
std::optional<std::string> memoryNote(const RuleContext& context, const Pipeline& pipeline, const PipelinePlan& plan) {
    const Planned today = todayOf(pipeline);
    const Planned then = plannedFor(pipeline, plan);
    double most_bytes = 0;
    std::string note;
    for (std::size_t place = 0; place < pipeline.ranks.size(); ++place) {
        const auto bytes = static_cast<double>(activationsAtPeak(context, pipeline.ranks[place]));
        const std::optional<double> now = keptBy(today, static_cast<std::int32_t>(place));
        const std::optional<double> later = keptBy(then, static_cast<std::int32_t>(place));
        if (bytes <= 0 || !now || !later || *now <= 0 || bytes * *later / *now <= most_bytes) {
            continue;
        }
        most_bytes = bytes * *later / *now;
        const std::optional<RankNumber>& number = context.run.ranks[pipeline.ranks[place]]->rank;
        note = "Rank " + (number ? std::to_string(number->value) : "at place " + std::to_string(place)) +
               " then keeps activations of " + formatDecimal(*later, 1) + " micro-batches instead of " +
               formatDecimal(*now, 1) + ": about " + formatBytes(static_cast<std::uint64_t>(most_bytes)) +
               " instead of " + formatBytes(static_cast<std::uint64_t>(bytes)) + ".";
    }
    return note.empty() ? std::nullopt : std::optional(note);
}

/// Why a plan has no order of passes.
std::string unfitting(const Planned& planned) {
    const std::string ranks = formatCounted(static_cast<std::uint64_t>(planned.shape.ranks), "rank");
    return planned.schedule == Schedule::Interleaved
               ? fmt::format("Interleaved stages on {0} need a number of micro-batches that {0} divide.", ranks)
               : fmt::format("Micro-batches are too few for {} on {}.", scheduleTitle(planned.schedule), ranks);
}

}  // namespace

std::optional<Error> cannotPlay(const RuleContext& context, const PipelinePlan& plan) {
    if (!plan.any()) {
        return std::nullopt;
    }
    if (context.facts.pipeline.pipelines.empty()) {
        return cannotTell("The job has no pipeline.");
    }
    for (const Pipeline& pipeline : context.facts.pipeline.pipelines) {
        if (!pipeline.forecast || !ordersIn(todayOf(pipeline))) {
            return cannotTell(pipeline.schedule ? "The stages or the order of the passes of a pipeline are not known."
                                                : "The schedule of a pipeline is not known.");
        }
        if (!playPlan(pipeline, pipeline.stage_times, plan)) {
            return cannotTell(unfitting(plannedFor(pipeline, plan)));
        }
    }
    return std::nullopt;
}

PlayedPlan playedPlan(const RuleContext& context, const std::vector<ReplayedRank>& replayed, const PipelinePlan& plan) {
    PlayedPlan played{.added = {}, .busy = std::vector<double>(context.run.ranks.size(), 1.0)};
    DurationNs today_ns = 0;
    DurationNs then_ns = 0;
    double off = 0;  // of today's play, as a share
    bool guesses = false;
    std::int32_t more_stages = 0;  // of a rank, than today
    for (const Pipeline& pipeline : context.facts.pipeline.pipelines) {
        const std::vector<StageTime> stages = replayedTimes(context, replayed, pipeline);
        const bool all = stages.size() == pipeline.stage_times.size();
        const std::vector<StageTime>& times = all ? stages : pipeline.stage_times;
        const std::optional<DurationNs> recorded_ns = playPlan(pipeline, pipeline.stage_times, {});
        const std::optional<DurationNs> now_ns = playPlan(pipeline, times, {});
        const std::optional<DurationNs> planned_ns = playPlan(pipeline, times, plan);
        if (!recorded_ns || !now_ns || !planned_ns || *recorded_ns <= 0) {
            continue;
        }
        const double measured = static_cast<double>(windowOf(pipeline)) / static_cast<double>(*recorded_ns);
        today_ns = std::max(today_ns, static_cast<DurationNs>(measured * static_cast<double>(*now_ns)));
        then_ns = std::max(then_ns, static_cast<DurationNs>(measured * static_cast<double>(*planned_ns)));
        const std::vector<double> busy = busyByPlace(pipeline, times, plan);
        for (std::size_t place = 0; place < busy.size(); ++place) {
            played.busy[pipeline.ranks[place]] = busy[place];
        }
        off = std::max(off, std::abs(measured - 1));
        guesses = guesses || guessesSplit(pipeline, plan);
        more_stages = plannedFor(pipeline, plan).shape.stages_per_rank - pipeline.stages_per_rank;
    }
    const DurationNs likely_ns = then_ns - today_ns;
    const auto error_ns = static_cast<DurationNs>(off * static_cast<double>(std::max(then_ns, today_ns)));
    // If it is unknown how long the gradient of the weights takes, the schedule may save nothing.
    const DurationNs high_ns = guesses ? std::max<DurationNs>(0, likely_ns) : likely_ns;
    const auto divided_ns = static_cast<DurationNs>(kDividedPass * static_cast<double>(then_ns));
    played.added = {likely_ns - error_ns - (more_stages < 0 ? divided_ns : 0), likely_ns,
                    high_ns + error_ns + (more_stages > 0 ? divided_ns : 0)};
    return played;
}

std::vector<std::string> notesOfPlan(const RuleContext& context, const PipelinePlan& plan, double change) {
    std::vector<std::string> notes;
    const Pipeline* const pipeline = slowestPipeline(context);
    if (!plan.any() || pipeline == nullptr) {
        return notes;
    }
    if (guessesSplit(*pipeline, plan)) {
        notes.emplace_back(
            "Half of a backward is taken for the gradient of the weights, because the run does not show that time.");
    }
    if (plannedFor(*pipeline, plan).shape.stages_per_rank != pipeline->stages_per_rank) {
        notes.emplace_back("The range allows that passes of half a stage take a tenth longer than half of it.");
    }
    if (plan.micro_batches && *plan.micro_batches != pipeline->micro_batches) {
        const double samples = static_cast<double>(*plan.micro_batches) / pipeline->micro_batches;
        notes.push_back(fmt::format("A step then has {} times today's samples: {} {} time per sample.",
                                    formatDecimal(samples, 2), formatPercent(std::abs(change / samples - 1)),
                                    change < samples ? "less" : "more"));
    }
    if (std::optional<std::string> memory = memoryNote(context, *pipeline, plan)) {
        notes.push_back(*std::move(memory));
    }
    return notes;
}

}  // namespace rankscope
