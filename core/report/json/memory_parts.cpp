// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory/memory_formula.h"
#include "core/report/json/parts.h"
#include "core/report/model/memory_summary.h"

namespace rankscope::report {
namespace {

/// A step of a rank by its number.
Json stepJson(const RankFacts& rank, const std::optional<RankStepPosition>& step) {
    return step ? Json(rank.steps[*step].index) : Json(nullptr);
}

Json checkpointsJson(const AnalysedRun& run, RankPosition position, const MemoryAtPeak& memory) {
    const RankFacts& rank = run.facts.ranks[position];
    Json out = Json::array();
    for (const MemoryCheckpoint& point : memory.checkpoints) {
        out.push_back({{"label", checkpointLabel(rank, point)},
                       {"step", stepJson(rank, point.step)},
                       {"phase", point.phase ? Json(phaseName(*point.phase)) : Json(nullptr)},
                       {"at_ns", run.clock.ranks[position].toRun(FileTime(point.at_ns)) - run.clock.base_ns},
                       {"allocated_bytes", point.allocated},
                       {"reserved_bytes", point.reserved},
                       {"peak_bytes", point.peak},
                       {"delta_bytes", point.delta}});
    }
    return out;
}

Json operatorsJson(const MemoryAtPeak& memory) {
    Json out = Json::array();
    for (const OperatorMemory& sum : memory.operators) {
        if (out.size() == kTableRows) {
            break;
        }
        out.push_back({{"name", textOrNull(sum.name)},
                       {"part", memoryPartName(sum.part)},
                       {"bytes", sum.bytes},
                       {"blocks", sum.blocks},
                       {"largest_bytes", sum.largest}});
    }
    return out;
}

Json statesJson(const AnalysedRun& run, std::int64_t parameters) {
    const ZeroStage& stage = run.facts.shards.stage;
    Json out = Json::array();
    for (const StateTypes types : kStateTypes) {
        const StateMemory memory = stateMemory(parameters, types, stage.lowest.value_or(0), stage.ranks);
        out.push_back({{"types", stateTypesName(types)},
                       {"parameters_bytes", memory.parameters},
                       {"gradients_bytes", memory.gradients},
                       {"optimizer_state_bytes", memory.optimizer_state}});
    }
    return out;
}

}  // namespace

Json memoryAtPeakJson(const AnalysedRun& run) {
    Json out = Json::array();
    for (RankPosition position{0}; position < run.facts.memory.ranks.size(); ++position) {
        for (const MemoryAtPeak& memory : run.facts.memory.ranks[position]) {
            out.push_back({{"id", position},
                           {"rank", orNull(run.run->ranks[position]->rank)},
                           {"device", memory.device},
                           {"step", stepJson(run.facts.ranks[position], memory.step)},
                           {"phase", phaseName(memory.phase)},
                           {"at_ns", run.clock.ranks[position].toRun(FileTime(memory.at_ns)) - run.clock.base_ns},
                           {"allocated_bytes", memory.allocated},
                           {"reserved_bytes", memory.reserved},
                           {"cache_bytes", memory.cache()},
                           {"parts", memoryPartsJson(memory.parts)},
                           {"has_addresses", memory.has_addresses},
                           {"unseen_bytes", memory.unseen},
                           {"operators", operatorsJson(memory)},
                           {"checkpoints", checkpointsJson(run, position, memory)}});
        }
    }
    return out;
}

Json memoryFormulaJson(const AnalysedRun& run) {
    const ModelSize& model = run.facts.memory.model;
    const std::optional<std::int64_t> shown = run.facts.shards.stage.parameters;
    const std::optional<std::int64_t> parameters = model.parameters ? model.parameters : shown;
    const std::optional<ActivationMemory> activations =
        activationMemory(model, run.facts.parallelism.grid.sizeOf(Role::Pipeline));
    if (!parameters && !activations) {
        return nullptr;
    }
    Json kept = nullptr;
    if (activations) {
        kept = {{"all_bytes", orNull(activations->all)},
                {"without_scores_bytes", activations->without_scores},
                {"checkpointed_bytes", activations->checkpointed}};
    }
    const UndividedMemory undivided = undividedMemory(run);
    return {{"parameters", orNull(parameters)},
            {"entered", model.parameters.has_value()},
            {"grid_divides_states_by", undivided.states},
            {"grid_divides_activations_by", undivided.activations},
            {"zero_stage", run.facts.shards.stage.lowest.value_or(0)},
            {"states", parameters ? statesJson(run, *parameters) : Json::array()},
            {"activations", std::move(kept)}};
}

}  // namespace rankscope::report
