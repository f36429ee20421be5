// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "core/analysis/steps/phase_statistics.h"
#include "core/report/json/parts.h"

namespace rankscope::report {
namespace {

Json statisticsJson(const Statistics& statistics, double share) {
    return {{"count", statistics.count},
            {"mean_ns", std::llround(statistics.mean_ns)},
            {"median_ns", statistics.median_ns},
            {"min_ns", statistics.min_ns},
            {"max_ns", statistics.max_ns},
            {"variance_ns2", statistics.variance_ns2},
            {"share", share}};
}

void putStatistics(Json& out, const std::optional<PhaseStatistics>& statistics, bool device) {
    out["host"] = statistics ? statisticsJson(statistics->host, statistics->host_share) : Json(nullptr);
    out["device"] = statistics && device ? statisticsJson(statistics->device, statistics->device_share) : Json(nullptr);
}

Json rankPhaseJson(const AnalysedRun& run, RankPosition position, Phase phase) {
    const RankFacts& facts = run.facts.ranks[position];
    const bool device = facts.device >= 0;
    Json out = {{"id", position}, {"rank", orNull(run.run->ranks[position]->rank)}};
    putStatistics(out, phaseStatistics(facts, phase), device);
    Json steps = Json::array();
    for (std::size_t s = 0; s < facts.phases.steps.size(); ++s) {
        const PhaseTime& time = facts.phases.steps[s][phase];
        steps.push_back({{"index", facts.steps[s].index},
                         {"host_ns", time.host_ns},
                         {"device_ns", device ? Json(time.device_ns) : Json(nullptr)},
                         {"device_span_ns", device ? Json(time.device_span_ns) : Json(nullptr)}});
    }
    out["steps"] = std::move(steps);
    return out;
}

}  // namespace

Json phasesJson(const AnalysedRun& run) {
    Json out = Json::array();
    for (std::size_t p = 0; p < kPhaseCount; ++p) {
        const auto phase = static_cast<Phase>(p);
        Json ranks = Json::array();
        bool device = false;
        for (RankPosition position{0}; position < run.facts.ranks.size(); ++position) {
            if (run.facts.ranks[position].phases.told[phase]) {
                ranks.push_back(rankPhaseJson(run, position, phase));
                device = device || run.facts.ranks[position].device >= 0;
            }
        }
        Json entry = {{"phase", phaseName(phase)},
                      {"unknown", ranks.empty() ? Json(phaseUnknownReason(phase)) : Json(nullptr)}};
        putStatistics(entry, phaseStatisticsOverRanks(run.facts.ranks, phase), device);
        entry["ranks"] = std::move(ranks);
        out.push_back(std::move(entry));
    }
    return out;
}

}  // namespace rankscope::report
