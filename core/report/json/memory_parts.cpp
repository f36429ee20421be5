// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/json/parts.h"
#include "core/report/tables/memory_summary.h"

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

Json statesJson(const RunMemoryFormula& formula) {
    Json out = Json::array();
    for (std::size_t t = 0; formula.parameters && t < kStateTypes.size(); ++t) {
        out.push_back({{"types", stateTypesName(kStateTypes[t])},
                       {"parameters_bytes", formula.states[t].parameters},
                       {"gradients_bytes", formula.states[t].gradients},
                       {"optimizer_state_bytes", formula.states[t].optimizer_state}});
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
    const RunMemoryFormula formula = runMemoryFormula(run.facts);
    if (!formula.any()) {
        return nullptr;
    }
    Json kept = nullptr;
    if (const std::optional<ActivationMemory>& activations = formula.activations) {
        kept = {{"all_bytes", orNull(activations->all)},
                {"without_scores_bytes", activations->without_scores},
                {"checkpointed_bytes", activations->checkpointed}};
    }
    return {{"parameters", orNull(formula.parameters)},
            {"entered", formula.entered},
            {"grid_divides_states_by", formula.undivided},
            {"grid_divides_activations_by", formula.tensor},
            {"zero_stage", formula.zero_stage},
            {"states", statesJson(formula)},
            {"activations", std::move(kept)}};
}

}  // namespace rankscope::report
