// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/json/parts.h"

namespace rankscope::report {
namespace {

Json expertTimesJson(const ExpertTimes& times) {
    return {{"count", times.count},
            {"time_ns", times.time_ns},
            {"wait_ns", orNull(times.wait_ns)},
            {"exposed_ns", times.exposed_ns},
            {"bytes", orNull(times.bytes)}};
}

Json tensorTimesJson(const TensorTimes& times) {
    return {{"count", times.count},
            {"time_ns", times.time_ns},
            {"transfer_ns", times.transfer_ns},
            {"exposed_ns", times.exposed_ns}};
}

}  // namespace

Json expertsJson(const AnalysedRun& run) {
    const ExpertFacts& facts = run.facts.experts;
    if (!facts.any()) {
        return nullptr;
    }
    Json ranks = Json::array();
    for (RankPosition position{0}; position < facts.ranks.size(); ++position) {
        const RankExperts& rank = facts.ranks[position];
        Json of_rank = {{"id", position}, {"rank", orNull(run.run->ranks[position]->rank)}};
        for (std::size_t i = 0; i < rank.operations.size(); ++i) {
            of_rank[std::string(expertOperationName(static_cast<ExpertOperation>(i)))] =
                expertTimesJson(rank.operations[i]);
        }
        of_rank["compute_ns"] = orNull(rank.compute_ns);
        of_rank["slowest"] = orNull(rank.slowest);
        ranks.push_back(std::move(of_rank));
    }
    Json layers = Json::array();
    for (const ExpertLayer& layer : facts.layers) {
        layers.push_back({{"step", layer.step},
                          {"dispatch", layer.dispatch},
                          {"combine", layer.combine},
                          {"slowest", layer.slowest},
                          {"longest_ns", layer.longest_ns},
                          {"mean_ns", layer.mean_ns},
                          {"lost_ns", layer.lost_ns}});
    }
    return {{"imbalance", orNull(facts.imbalance())},
            {"told_by", facts.by_order ? "order" : "names"},
            {"ranks", std::move(ranks)},
            {"layers", std::move(layers)}};
}

Json tensorJson(const AnalysedRun& run) {
    const TensorFacts& facts = run.facts.tensor;
    if (!facts.any()) {
        return nullptr;
    }
    Json operations = Json::array();
    for (const TensorOperation& operation : facts.operations) {
        Json out = {{"group", operation.group},
                    {"role", roleName(operation.role)},
                    {"kind", collectiveKindName(operation.kind)},
                    {"bytes", orNull(operation.bytes)},
                    {"bound", operation.bound ? Json(transferBoundName(*operation.bound)) : Json(nullptr)}};
        out.update(tensorTimesJson(operation.times));
        operations.push_back(std::move(out));
    }
    Json layers = Json::array();
    for (const TensorLayer& layer : facts.layers) {
        Json out = {{"name", textOrNull(layer.name)}};
        out.update(tensorTimesJson(layer.times));
        layers.push_back(std::move(out));
    }
    return {{"steps_ns", facts.steps_ns},
            {"forward_only", facts.forward_only},
            {"operations", std::move(operations)},
            {"layers", std::move(layers)}};
}

}  // namespace rankscope::report
