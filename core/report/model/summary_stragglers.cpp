// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <functional>

#include "core/base/format.h"
#include "core/report/model/summary.h"
#include "core/report/model/vocabulary.h"

namespace rankscope::report {

Table latenessTable(const AnalysedRun& run, std::size_t rows) {
    Table table;
    if (run.facts.stragglers.ranks.size() < 2) {
        return table;
    }
    std::vector<const RankLateness*> ranks;
    for (const RankLateness& rank : run.facts.stragglers.ranks) {
        ranks.push_back(&rank);
    }
    std::ranges::stable_sort(ranks, std::greater<>(), &RankLateness::segment_ns);
    ranks.resize(std::min(rows, ranks.size()));
    table.header = {"", "segment time", "of the mean", "z-score", "steps as the last", "would save", "throughput lost"};
    for (const RankLateness* rank : ranks) {
        table.rows.push_back({rankLabel(*run.run->ranks[rank->rank], rank->rank), formatDuration(rank->segment_ns),
                              formatPercent(rank->over_mean), rank->z_score ? formatDecimal(*rank->z_score, 2) : "-",
                              std::to_string(rank->last_steps), formatDuration(rank->saving_ns),
                              formatPercent(rank->throughput_lost)});
    }
    return table;
}

std::string latenessNote() {
    return "Segment time is what a rank needs from the end of a blocking collective until it is ready for the next. A "
           "rank "
           "over the mean is a straggler only if the run would save 3 % without it.";
}

}  // namespace rankscope::report
