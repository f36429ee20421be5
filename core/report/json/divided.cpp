// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/json/parts.h"
#include "core/report/tables/run_tables.h"

namespace rankscope::report {
namespace {

Json expertTimesJson(const ExpertTimes& times) {
    return {{"count", times.count},
            {"time_ns", times.time_ns},
            {"wait_ns", orNull(times.wait_ns)},
            {"exposed_ns", times.exposed_ns},
            {"bytes", orNull(times.bytes)}};
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
    return {{"imbalance", orNull(facts.imbalance())},
            {"told_by", facts.by_order ? "order" : "names"},
            {"ranks", std::move(ranks)},
            {"layers", tableJson(expertLayersTable(run))}};
}

Json tensorJson(const AnalysedRun& run) {
    const TensorFacts& facts = run.facts.tensor;
    if (!facts.any()) {
        return nullptr;
    }
    return {{"steps_ns", facts.steps_ns},
            {"forward_only", facts.forward_only},
            {"operations", tableJson(tensorOperationsTable(run), {"ranks"})},
            {"layers", tableJson(tensorLayersTable(run))}};
}

}  // namespace rankscope::report
