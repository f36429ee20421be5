// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/json/parts.h"

namespace rankscope::report {
namespace {

Json kindJson(std::optional<IterationKind> kind) {
    return kind ? Json(iterationKindName(*kind)) : Json(nullptr);
}

Json sumsJson(const IterationSums& sums) {
    return {{"kind", kindJson(sums.kind)},
            {"steps", sums.steps},
            {"complete", sums.complete},
            {"priced", sums.priced},
            {"total_ns", sums.total_ns},
            {"lower_quartile_ns", sums.lower_quartile_ns},
            {"median_ns", sums.median_ns},
            {"upper_quartile_ns", sums.upper_quartile_ns},
            {"longest_ns", sums.longest_ns},
            {"prompt_tokens", orNull(sums.prompt_tokens)},
            {"new_tokens", orNull(sums.new_tokens)},
            {"tokens_per_second", orNull(sums.tokensPerSecond())},
            {"rank_steps", sums.rank_steps},
            {"rank_steps_ns", sums.rank_steps_ns},
            {"compute_ns", sums.compute_ns},
            {"exposed_comm_ns", sums.exposed_comm_ns},
            {"exposed_copy_ns", sums.exposed_copy_ns},
            {"idle_ns", sums.idle_ns},
            {"kernels", sums.kernels},
            {"graph_launches", sums.graph_launches},
            {"graph_kernels", sums.graph_kernels},
            {"kernels_ns", sums.kernels_ns},
            {"graph_kernels_ns", sums.graph_kernels_ns}};
}

Json stepJson(const RunStep& step) {
    return {{"index", step.index}, {"kind", kindJson(step.kind)}, {"other_kind", step.other_kind}};
}

}  // namespace

Json iterationsJson(const AnalysedRun& run) {
    const IterationFacts& facts = run.facts.iterations;
    if (!facts.any()) {
        return nullptr;
    }
    Json kinds = Json::array();
    for (const IterationSums& sums : facts.kinds) {
        kinds.push_back(sumsJson(sums));
    }
    Json steps = Json::array();
    for (const RunStep& step : run.facts.steps) {
        steps.push_back(stepJson(step));
    }
    return {{"kinds", std::move(kinds)},  {"steps", std::move(steps)},
            {"decodes", facts.decodes},   {"decodes_held_up", facts.decodes_held_up},
            {"evidence", facts.evidence}, {"notes", facts.notes}};
}

}  // namespace rankscope::report
