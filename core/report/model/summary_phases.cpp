// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/analysis/steps/phase_statistics.h"
#include "core/base/format.h"
#include "core/report/model/summary.h"

namespace rankscope::report {
namespace {

std::string rangeText(const Statistics& statistics) {
    if (statistics.min_ns == statistics.max_ns) {
        return formatDuration(statistics.median_ns);
    }
    return formatDuration(statistics.median_ns) + " (" + formatDuration(statistics.min_ns) + " to " +
           formatDuration(statistics.max_ns) + ")";
}

}  // namespace

std::string verdictLine(const Verdict& verdict) {
    return (verdict.bound ? std::string(boundName(*verdict.bound)) : "cannot tell what binds it") + ": " + verdict.rule;
}

Table phaseTable(const AnalysedRun& run) {
    const bool device = std::ranges::any_of(run.facts.ranks, [](const RankFacts& rank) { return rank.device >= 0; });
    Table table;
    table.header = {"", "host", "of the step"};
    if (device) {
        table.header.insert(table.header.end(), {"device", "of the step"});
    }
    for (std::size_t p = 0; p < kPhaseCount; ++p) {
        const auto phase = static_cast<Phase>(p);
        const auto statistics = phaseStatisticsOverRanks(run.facts.ranks, phase);
        if (!statistics) {
            continue;
        }
        std::vector<std::string> cells = {std::string(phaseName(phase)), rangeText(statistics->host),
                                          formatPercent(statistics->host_share)};
        if (device) {
            cells.insert(cells.end(), {rangeText(statistics->device), formatPercent(statistics->device_share)});
        }
        table.rows.push_back(std::move(cells));
    }
    // The rest alone says nothing.
    if (table.rows.size() == 1) {
        table.rows.clear();
    }
    return table;
}

}  // namespace rankscope::report
