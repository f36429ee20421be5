// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/json/parts.h"

namespace rankscope::report {

Json chosenStepsJson(const Run& run) {
    if (!run.chosen_steps) {
        return nullptr;
    }
    const ChosenSteps& chosen = *run.chosen_steps;
    Json steps = Json::array();
    for (const TabledStep& step : chosen.steps) {
        steps.push_back({{"step", step.number},
                         {"read", chosen.reads(step.number)},
                         {"ranks", step.ranks},
                         {"complete", step.complete},
                         {"median_ns", step.median_ns},
                         {"longest_ns", step.longest_ns},
                         {"longest_rank", step.longest_rank},
                         {"long", step.is_long}});
    }
    Json ranks = Json::array();
    for (const TabledRank& rank : chosen.long_ranks) {
        ranks.push_back({{"rank", rank.rank},
                         {"long_steps", rank.long_steps},
                         {"first_long", rank.first_long},
                         {"last_long", rank.last_long},
                         {"worst_step", rank.worst_step},
                         {"worst_ns", rank.worst_ns},
                         {"usual_ns", rank.typical_ns},
                         {"excess_ns", rank.excess_ns},
                         {"cause", textOrNull(rank.cause)}});
    }
    return {{"first", chosen.first},
            {"last", chosen.last},
            {"budget_bytes", chosen.budget_bytes},
            {"all_bytes", chosen.all_bytes},
            {"read_bytes", chosen.read_bytes},
            {"ranks", chosen.ranks},
            {"ranks_without", chosen.without},
            {"median_ns", chosen.median_ns},
            {"steps", std::move(steps)},
            {"long_ranks", std::move(ranks)},
            {"long_rank_count", chosen.long_rank_count}};
}

}  // namespace rankscope::report
