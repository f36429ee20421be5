// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/json/parts.h"

namespace rankscope::report {
namespace {

Json shardTimesJson(const ShardTimes& times) {
    Json out = Json::object();
    for (std::size_t i = 0; i < kShardCauses; ++i) {
        const auto cause = static_cast<ShardCause>(i);
        out[std::string(shardCauseName(cause))] = times[cause];
    }
    return out;
}

Json shardStepJson(const ShardStep& step) {
    return {{"gather_ns", shardTimesJson(step.gathers)},
            {"scatter_ns", shardTimesJson(step.scatters)},
            {"other_ns", step.other_ns}};
}

Json stageJson(const ZeroStage& stage) {
    return {{"lowest", orNull(stage.lowest)},
            {"highest", orNull(stage.highest)},
            {"confidence", stage.lowest ? Json(confidenceName(stage.confidence)) : Json(nullptr)},
            {"evidence", stage.evidence},
            {"ranks", stage.ranks > 0 ? Json(stage.ranks) : Json(nullptr)},
            {"gathered_bytes", orNull(stage.gathered_bytes)},
            {"scattered_bytes", orNull(stage.scattered_bytes)},
            {"traffic_factor", orNull(stage.traffic_factor)},
            {"traffic_factor_elements", orNull(stage.traffic_factor_elements)},
            {"rule_factor", orNull(stage.rule_factor)},
            {"parameters", orNull(stage.parameters)},
            {"rule_bytes_each", orNull(stage.rule_bytes_each)},
            {"rule_memory_factor", orNull(stage.rule_memory_factor)},
            {"peak_allocated_bytes", orNull(stage.peak_allocated)}};
}

Json partJson(const AnalysedRun& run, RankPosition position, const ShardPart& part) {
    const RankTrace& trace = *run.run->ranks[position];
    const RankClock& clock = run.clock.ranks[position];
    const auto on_run = [&](TimeNs file_ns) { return clock.toRun(FileTime(file_ns)) - run.clock.base_ns; };
    return {{"of", part.of},
            {"step", run.facts.ranks[position].steps[part.step].index},
            {"launched_ns", part.call.empty() ? Json(nullptr) : Json(on_run(part.call.start_ns))},
            {"start_ns", on_run(part.span.start_ns)},
            {"end_ns", on_run(part.span.end_ns)},
            {"used_ns", part.consumer.valid() ? Json(on_run(trace.span(part.consumer).start_ns)) : Json(nullptr)},
            {"used_by", part.consumer.valid() ? Json(trace.name(part.consumer)) : Json(nullptr)},
            {"use_waited_ns", orNull(part.consumer_wait_ns)},
            {"wait_ns", part.wait_ns},
            {"transfer_ns", part.transfer_ns},
            {"unsplit_ns", part.unsplit_ns}};
}

Json rankShardsJson(const AnalysedRun& run, RankPosition position) {
    const RankShards& rank = run.facts.shards.ranks[position];
    Json steps = Json::array();
    for (std::size_t s = 0; s < rank.steps.size(); ++s) {
        Json step = shardStepJson(rank.steps[s]);
        step["index"] = run.facts.ranks[position].steps[s].index;
        steps.push_back(std::move(step));
    }
    Json parts = Json::array();
    for (const ShardPart& part : rank.parts) {
        parts.push_back(partJson(run, position, part));
    }
    return {{"id", position},
            {"rank", orNull(run.run->ranks[position]->rank)},
            {"last", rank.last},
            {"waited_for_ns", rank.late_ns},
            {"counted", shardStepJson(rank.counted)},
            {"steps", std::move(steps)},
            {"parts", std::move(parts)}};
}

}  // namespace

Json shardsJson(const AnalysedRun& run) {
    const ShardFacts& facts = run.facts.shards;
    if (!facts.any()) {
        return nullptr;
    }
    Json units = Json::array();
    for (const ShardUnit& unit : facts.units) {
        units.push_back(
            {{"name", unit.name}, {"named", unit.named}, {"gathered_elements", orNull(unit.gathered_elements)}});
    }
    Json collectives = Json::array();
    for (const ShardCollective& shard : facts.collectives) {
        collectives.push_back({{"collective", shard.collective},
                               {"unit", shard.unit},
                               {"operation", shardOperationName(shard.operation)},
                               {"phase", phaseName(shard.phase)},
                               {"last", orNull(shard.last)},
                               {"prefetched", shard.prefetched},
                               {"compute_ns", orNull(shard.compute_ns)},
                               {"wait_cause", shardCauseName(shard.wait_cause)},
                               {"transfer_cause", shardCauseName(shard.transfer_cause)}});
    }
    Json ranks = Json::array();
    for (RankPosition position{0}; position < facts.ranks.size(); ++position) {
        ranks.push_back(rankShardsJson(run, position));
    }
    return {{"framework", shardFrameworkName(facts.framework)},
            {"stage", stageJson(facts.stage)},
            {"units", std::move(units)},
            {"collectives", std::move(collectives)},
            {"ranks", std::move(ranks)}};
}

}  // namespace rankscope::report
