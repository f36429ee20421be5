// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/forecast_pipeline.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

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

/// For passes that had to wait for another rank: the time until they began once that was done.
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

/// Twice as many stages, with the same total work per rank.
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

/// Adds `ns` to the times of a stage, in proportion to its passes.
void change(KindTimes& stage, DurationNs ns) {
    const DurationNs total_ns = std::accumulate(stage.begin(), stage.end(), DurationNs{0});
    for (DurationNs& kind : stage) {
        kind += total_ns > 0 ? static_cast<DurationNs>(static_cast<double>(ns) * static_cast<double>(kind) /
                                                       static_cast<double>(total_ns))
                             : 0;
    }
}

/// A rank's time per micro-batch, over all of its stages; in the order of Pipeline::ranks.
std::vector<DurationNs> timesOfRanks(const Pipeline& pipeline) {
    std::vector<DurationNs> times(pipeline.ranks.size());
    for (const StageTime& stage : pipeline.stage_times) {
        const auto at = std::ranges::find(pipeline.ranks, stage.rank) - pipeline.ranks.begin();
        times[static_cast<std::size_t>(at)] += stage.total();
    }
    return times;
}

/// A stage of a rank; the first of several, since layers move between ranks as a whole.
std::size_t stageOf(const Pipeline& pipeline, std::size_t rank) {
    const auto at = std::ranges::find(pipeline.stage_times, pipeline.ranks[rank], &StageTime::rank);
    return static_cast<std::size_t>(at - pipeline.stage_times.begin());
}

/// The slowest rank with the times of the other ranks: the median over the same turn, the first stages of all ranks,
/// the second stages of all ranks.
PlayedTimes timesAsOthers(const Pipeline& pipeline, const PlayedTimes& times) {
    const std::vector<DurationNs> of_ranks = timesOfRanks(pipeline);
    const auto slowest = static_cast<std::size_t>(std::ranges::max_element(of_ranks) - of_ranks.begin());
    std::vector<std::vector<std::size_t>> stages(of_ranks.size());  // by rank
    for (std::size_t stage = 0; stage < pipeline.stage_times.size(); ++stage) {
        const auto at = std::ranges::find(pipeline.ranks, pipeline.stage_times[stage].rank) - pipeline.ranks.begin();
        stages[static_cast<std::size_t>(at)].push_back(stage);
    }
    PlayedTimes changed = times;
    for (std::size_t turn = 0; turn < stages[slowest].size(); ++turn) {
        for (std::size_t kind = 0; kind < kPassKinds; ++kind) {
            std::vector<DurationNs> others;
            for (std::size_t rank = 0; rank < stages.size(); ++rank) {
                if (rank != slowest && turn < stages[rank].size()) {
                    others.push_back(times.stages[stages[rank][turn]][kind]);
                }
            }
            DurationNs& own = changed.stages[stages[slowest][turn]][kind];
            own = std::min(own, lowerMedian(std::move(others)));
        }
    }
    return changed;
}

std::optional<MovedLayer> moveLayer(const Pipeline& pipeline, const Orders& orders, PlayedTimes times) {
    const std::vector<DurationNs> ranks = timesOfRanks(pipeline);
    std::vector<DurationNs> layers;
    for (std::size_t rank = 0; rank < pipeline.layers.of_ranks.size(); ++rank) {
        layers.push_back(ranks[rank] / static_cast<DurationNs>(pipeline.layers.of_ranks[rank]));
    }
    if (layers.empty()) {
        return std::nullopt;
    }
    MovedLayer moved;
    moved.from = static_cast<std::size_t>(std::ranges::max_element(ranks) - ranks.begin());
    moved.to = static_cast<std::size_t>(std::ranges::min_element(ranks) - ranks.begin());
    moved.layer_ns = lowerMedian(std::move(layers));
    change(times.stages[stageOf(pipeline, moved.from)], -moved.layer_ns);
    change(times.stages[stageOf(pipeline, moved.to)], moved.layer_ns);
    const auto played_ns = playSchedule(orders, times);
    moved.played_ns = played_ns.value_or(0);
    return played_ns && pipeline.layers.of_ranks[moved.from] > 1 ? std::optional(moved) : std::nullopt;
}

/// Whether some backwards include the gradient of the weights and others do not: their times are then of two kinds.
bool mixesBackwards(const Pipeline& pipeline) {
    const PipelineStep& step = pipeline.steps[pipeline.counted.front()];
    std::size_t backwards = 0;
    std::size_t weights = 0;
    for (const RankPipelineStep& rank : step.ranks) {
        for (const PipelinePass& pass : rank.passes) {
            backwards += pass.kind == PassKind::Backward ? 1U : 0U;
            weights += pass.kind == PassKind::WeightGradient ? 1U : 0U;
        }
    }
    return weights > 0 && weights < backwards;
}

bool isKnown(const Pipeline& pipeline) {
    return pipeline.schedule && !pipeline.counted.empty() &&
           pipeline.ranks.size() == static_cast<std::size_t>(pipeline.size) &&
           pipeline.stage_times.size() == static_cast<std::size_t>(pipeline.stages()) && !mixesBackwards(pipeline);
}

/// What DualPipe runs at once.
enum class DualTurnKind : std::uint8_t { Forward, WholeBackward, InputGradient, WeightGradient, Together };

struct DualTurn {
    DualTurnKind kind = DualTurnKind::Forward;
    std::vector<PipelinePass> passes;

    [[nodiscard]] DurationNs length() const {
        TimeSpan hull = passes.front().span;
        for (const PipelinePass& pass : passes) {
            hull = {std::min(hull.start_ns, pass.span.start_ns), std::max(hull.end_ns, pass.span.end_ns)};
        }
        return hull.length();
    }
};

using StageAndBatch = std::pair<std::int32_t, std::int32_t>;

/// Backwards whose gradients of weights are separate passes.
std::set<StageAndBatch> splitBackwards(const RankPipelineStep& rank) {
    std::set<StageAndBatch> split;
    for (const PipelinePass& pass : rank.passes) {
        if (pass.kind == PassKind::WeightGradient) {
            split.emplace(pass.stage, pass.micro_batch);
        }
    }
    return split;
}

DualTurnKind kindOfPass(const PipelinePass& pass, const std::set<StageAndBatch>& split) {
    switch (pass.kind) {
        case PassKind::Forward: return DualTurnKind::Forward;
        case PassKind::WeightGradient: return DualTurnKind::WeightGradient;
        case PassKind::Backward: break;
    }
    return split.contains({pass.stage, pass.micro_batch}) ? DualTurnKind::InputGradient : DualTurnKind::WholeBackward;
}

std::vector<DualTurn> dualTurnsOf(const RankPipelineStep& rank) {
    const std::set<StageAndBatch> split = splitBackwards(rank);
    std::vector<DualTurn> turns;
    for (const PipelinePass& pass : rank.passes) {
        const auto beside = std::ranges::find_if(turns, [&](const DualTurn& turn) {
            return pass.overlapped && pass.mark.valid() && turn.passes.front().mark == pass.mark;
        });
        if (beside == turns.end()) {
            turns.push_back({kindOfPass(pass, split), {pass}});
        } else {
            beside->kind = DualTurnKind::Together;
            beside->passes.push_back(pass);
        }
    }
    return turns;
}

/// For each kind the mean over the stages of their medians; for two passes at once the stage is that of the first.
std::map<DualTurnKind, DurationNs> meanLengths(const Pipeline& pipeline) {
    std::map<std::pair<DualTurnKind, std::int32_t>, std::vector<DurationNs>> lengths;
    for (const std::size_t step : pipeline.counted) {
        for (const RankPipelineStep& rank : pipeline.steps[step].ranks) {
            for (const DualTurn& turn : dualTurnsOf(rank)) {
                lengths[{turn.kind, turn.passes.front().stage}].push_back(turn.length());
            }
        }
    }
    std::map<DualTurnKind, std::vector<DurationNs>> medians;
    for (auto& [key, of_stage] : lengths) {
        medians[key.first].push_back(lowerMedian(std::move(of_stage)));
    }
    std::map<DualTurnKind, DurationNs> means;
    for (const auto& [kind, of_stages] : medians) {
        means[kind] = meanOf(of_stages);
    }
    return means;
}

bool isDualPipe(const Pipeline& pipeline) {
    return pipeline.schedule == Schedule::DualPipe && pipeline.folded && !pipeline.counted.empty() &&
           pipeline.ranks.size() == static_cast<std::size_t>(pipeline.size) &&
           pipeline.stage_times.size() == static_cast<std::size_t>(pipeline.stages());
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
    if (!isKnown(pipeline)) {
        return std::nullopt;
    }
    PipelineForecast forecast;
    forecast.hand_over_ns = handOver(pipeline);
    const PlayedTimes times = playedTimes(pipeline, forecast.hand_over_ns);
    const Orders orders = measuredOrders(pipeline.steps[pipeline.counted.front()]);
    const auto played_ns = playSchedule(orders, times);
    const auto even_ns = playSchedule(orders, evenTimes(times));
    const auto as_others_ns = playSchedule(orders, timesAsOthers(pipeline, times));
    if (!played_ns || !even_ns || !as_others_ns) {
        return std::nullopt;
    }
    forecast.played_ns = *played_ns;
    forecast.even_ns = *even_ns;
    forecast.as_others_ns = *as_others_ns;
    forecast.full_ns = std::ranges::max(timesOfRanks(pipeline)) * pipeline.micro_batches;
    forecast.moved = moveLayer(pipeline, orders, times);
    const PipelineShape shape{pipeline.size, pipeline.stages_per_rank, pipeline.micro_batches, pipeline.folded};
    PipelineShape twice = shape;
    twice.micro_batches *= 2;
    const auto twice_ns = play(*pipeline.schedule, twice, times);
    forecast.more_micro_batches_ns = twice_ns ? std::optional(*twice_ns / 2) : std::nullopt;
    const bool split = *pipeline.schedule == Schedule::ZeroBubble || *pipeline.schedule == Schedule::DualPipe;
    if (!split) {
        forecast.more_stages_ns =
            play(Schedule::Interleaved, {shape.ranks, 2 * shape.stages_per_rank, shape.micro_batches},
                 halvedTimes(times, shape));
    }
    return forecast;
}

std::optional<double> playedTheory(const Pipeline& pipeline) {
    if (!isKnown(pipeline)) {
        return std::nullopt;
    }
    const PlayedTimes even = evenTimes(playedTimes(pipeline, 0));
    const Orders orders = measuredOrders(pipeline.steps[pipeline.counted.front()]);
    const auto played_ns = playSchedule(orders, even);
    DurationNs busy_ns = 0;
    for (const std::vector<PassId>& order : orders) {
        for (const PassId& pass : order) {
            busy_ns += even.stages.front()[static_cast<std::size_t>(pass.kind)];
        }
    }
    if (!played_ns || *played_ns <= 0) {
        return std::nullopt;
    }
    return 1 - static_cast<double>(busy_ns) / (static_cast<double>(*played_ns) * static_cast<double>(orders.size()));
}

std::optional<double> dualPipeTheory(const Pipeline& pipeline) {
    if (!isDualPipe(pipeline)) {
        return std::nullopt;
    }
    const std::map<DualTurnKind, DurationNs> lengths = meanLengths(pipeline);
    if (!lengths.contains(DualTurnKind::Together)) {
        return std::nullopt;  // only ranges show which passes run together
    }
    std::vector<std::vector<PlayedTurn>> orders;
    DurationNs busy_ns = 0;
    for (const RankPipelineStep& rank : pipeline.steps[pipeline.counted.front()].ranks) {
        std::vector<PlayedTurn>& order = orders.emplace_back();
        for (const DualTurn& turn : dualTurnsOf(rank)) {
            PlayedTurn& played = order.emplace_back();
            played.length_ns = lengths.at(turn.kind);
            busy_ns += played.length_ns;
            for (const PipelinePass& pass : turn.passes) {
                played.passes.push_back({pass.kind, pass.stage, pass.micro_batch});
            }
        }
    }
    const auto played_ns = playTurns(orders, 0);
    if (!played_ns || *played_ns <= 0) {
        return std::nullopt;
    }
    return 1 - static_cast<double>(busy_ns) / (static_cast<double>(*played_ns) * static_cast<double>(orders.size()));
}

}  // namespace rankscope
