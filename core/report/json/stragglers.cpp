// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/json/parts.h"

namespace rankscope::report {
namespace {

Json segmentTimesJson(const RunFacts& facts, const RankLateness& rank) {
    Json steps = Json::array();
    for (const SegmentTime& own : rank.steps) {
        steps.push_back(
            {{"index", facts.steps[own.step].index}, {"segment_ns", own.segment_ns}, {"late_ns", own.late_ns}});
    }
    return steps;
}

}  // namespace

Json stragglersJson(const AnalysedRun& run) {
    Json ranks = Json::array();
    for (const RankLateness& rank : run.facts.stragglers.ranks) {
        ranks.push_back({{"id", rank.rank},
                         {"rank", orNull(run.run->ranks[rank.rank]->rank)},
                         {"segment_ns", rank.segment_ns},
                         {"over_mean", rank.over_mean},
                         {"z_score", orNull(rank.z_score)},
                         {"last_steps", rank.last_steps},
                         {"saving_ns", rank.saving_ns},
                         {"throughput_lost", rank.throughput_lost},
                         {"steps", segmentTimesJson(run.facts, rank)}});
    }
    return ranks;
}

}  // namespace rankscope::report
