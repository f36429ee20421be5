// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/forecast_pipeline.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "core/analysis/pipeline/schedule_orders.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

using KindTimes = std::array<DurationNs, kPassKinds>;

/// All passes of one stage.
struct StageSamples {
    std::optional<RankPosition> rank;
    std::array<std::vector<DurationNs>, kPassKinds> lengths;
    std::vector<std::size_t> pieces;
};

StageTime timeOf(std::int32_t stage, const StageSamples& samples) {
    StageTime time;
    time.stage = stage;
    time.rank = *samples.rank;
    for (std::size_t kind = 0; kind < kPassKinds; ++kind) {
        time.by_kind[kind] = lowerMedian(samples.lengths[kind]);
    }
    time.pieces = lowerMedian(samples.pieces);
    return time;
}

/// Of passes that had to wait for another rank: how long they still took to begin once that was done.
DurationNs handOver(const Pipeline& pipeline) {
    std::vector<DurationNs> lengths;
    for (const std::size_t step : pipeline.counted) {
        for (const RankPipelineStep& rank : pipeline.steps[step].ranks) {
            for (std::size_t i = 1; i < rank.bubble.size(); ++i) {
                const BubblePart& part = rank.bubble[i];
                const BubblePart& waited = rank.bubble[i - 1];
                if (part.cause == BubbleCause::HandOver && waited.cause != BubbleCause::HandOver &&
                    waited.span.end_ns == part.span.start_ns) {
                    lengths.push_back(part.span.length());
                }
            }
        }
    }
    return lowerMedian(std::move(lengths));
}

using Orders = std::vector<std::vector<PassId>>;

Orders measuredOrders(const PipelineStep& step) {
    Orders orders;
    for (const RankPipelineStep& rank : step.ranks) {
        std::vector<PassId>& order = orders.emplace_back();
        for (const PipelinePass& pass : rank.passes) {
            order.push_back({pass.kind, pass.stage, pass.micro_batch});
        }
    }
    return orders;
}

std::optional<Orders> ordersOf(Schedule schedule, const PipelineShape& shape) {
    Orders orders;
    for (std::int32_t place = 0; place < shape.ranks; ++place) {
        auto order = passOrder(schedule, shape, place);
        if (!order) {
            return std::nullopt;
        }
        orders.push_back(std::move(*order));
    }
    return orders;
}

PlayedTimes playedTimes(const Pipeline& pipeline, DurationNs hand_over_ns) {
    PlayedTimes times{.stages = {}, .hand_over_ns = hand_over_ns};
    for (const StageTime& stage : pipeline.stage_times) {
        times.stages.push_back(stage.by_kind);
    }
    return times;
}

/// Every stage with the mean of all.
PlayedTimes evenTimes(const PlayedTimes& times) {
    KindTimes mean{};
    for (std::size_t kind = 0; kind < kPassKinds; ++kind) {
        DurationNs sum_ns = 0;
        for (const KindTimes& stage : times.stages) {
            sum_ns += stage[kind];
        }
        mean[kind] = sum_ns / static_cast<DurationNs>(times.stages.size());
    }
    return {.stages = std::vector<KindTimes>(times.stages.size(), mean), .hand_over_ns = times.hand_over_ns};
}

/// Twice as many stages, of which each rank has as much as before in all.
PlayedTimes halvedTimes(const PlayedTimes& times, const PipelineShape& shape) {
    const auto ranks = static_cast<std::size_t>(shape.ranks);
    PlayedTimes halved{.stages = std::vector<KindTimes>(2 * times.stages.size()), .hand_over_ns = times.hand_over_ns};
    for (std::size_t stage = 0; stage < halved.stages.size(); ++stage) {
        for (std::size_t kind = 0; kind < kPassKinds; ++kind) {
            DurationNs of_rank_ns = 0;
            for (std::size_t own = stage % ranks; own < times.stages.size(); own += ranks) {
                of_rank_ns += times.stages[own][kind];
            }
            halved.stages[stage][kind] = of_rank_ns / static_cast<DurationNs>(halved.stages.size() / ranks);
        }
    }
    return halved;
}

std::optional<DurationNs> play(Schedule schedule, const PipelineShape& shape, const PlayedTimes& times) {
    const auto orders = ordersOf(schedule, shape);
    return orders ? playSchedule(*orders, times) : std::nullopt;
}

bool hasFixedOrder(Schedule schedule) {
    return schedule == Schedule::GPipe || schedule == Schedule::OneFOneB || schedule == Schedule::Interleaved;
}

}  // namespace

std::vector<StageTime> stageTimes(const Pipeline& pipeline) {
    std::vector<StageSamples> samples(static_cast<std::size_t>(std::max(0, pipeline.stages())));
    for (const std::size_t step : pipeline.counted) {
        const PipelineStep& told = pipeline.steps[step];
        for (std::size_t r = 0; r < told.ranks.size(); ++r) {
            for (const PipelinePass& pass : told.ranks[r].passes) {
                if (pass.stage < 0 || static_cast<std::size_t>(pass.stage) >= samples.size()) {
                    return {};
                }
                StageSamples& of_stage = samples[static_cast<std::size_t>(pass.stage)];
                of_stage.rank = pipeline.ranks[r];
                of_stage.lengths[static_cast<std::size_t>(pass.kind)].push_back(pass.span.length());
                if (pass.kind == PassKind::Forward) {
                    of_stage.pieces.push_back(pass.pieces);
                }
            }
        }
    }
    std::vector<StageTime> times;
    for (std::size_t stage = 0; stage < samples.size(); ++stage) {
        if (samples[stage].rank) {
            times.push_back(timeOf(static_cast<std::int32_t>(stage), samples[stage]));
        }
    }
    return times;
}

std::optional<PipelineForecast> forecastPipeline(const Pipeline& pipeline) {
    const bool all_known = pipeline.schedule && !pipeline.counted.empty() &&
                           pipeline.ranks.size() == static_cast<std::size_t>(pipeline.size) &&
                           pipeline.stage_times.size() == static_cast<std::size_t>(pipeline.stages());
    if (!all_known) {
        return std::nullopt;
    }
    PipelineForecast forecast;
    forecast.hand_over_ns = handOver(pipeline);
    const PlayedTimes times = playedTimes(pipeline, forecast.hand_over_ns);
    const Orders orders = measuredOrders(pipeline.steps[pipeline.counted.front()]);
    const auto played_ns = playSchedule(orders, times);
    const auto even_ns = playSchedule(orders, evenTimes(times));
    if (!played_ns || !even_ns) {
        return std::nullopt;
    }
    forecast.played_ns = *played_ns;
    forecast.even_ns = *even_ns;
    const PipelineShape shape{pipeline.size, pipeline.stages_per_rank, pipeline.micro_batches};
    if (hasFixedOrder(*pipeline.schedule)) {
        const auto twice_ns =
            play(*pipeline.schedule, {shape.ranks, shape.stages_per_rank, 2 * shape.micro_batches}, times);
        forecast.more_micro_batches_ns = twice_ns ? std::optional(*twice_ns / 2) : std::nullopt;
        forecast.more_stages_ns =
            play(Schedule::Interleaved, {shape.ranks, 2 * shape.stages_per_rank, shape.micro_batches},
                 halvedTimes(times, shape));
    }
    return forecast;
}

}  // namespace rankscope
