// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <utility>

#include "core/analysis/steps/phase_statistics.h"
#include "core/report/tables/run_tables.h"

namespace rankscope::report {
namespace {

/// Calls `visit` for each known phase of each rank.
template <class Visit>
void forEachPhase(const AnalysedRun& run, Visit visit) {
    for (std::size_t p = 0; p < kPhaseCount; ++p) {
        const auto phase = static_cast<Phase>(p);
        for (RankPosition position{0}; position < run.facts.ranks.size(); ++position) {
            if (run.facts.ranks[position].phases.told[phase]) {
                visit(phase, position);
            }
        }
    }
}

std::vector<Cell> rowOf(const AnalysedRun& run, RankPosition position, Phase phase) {
    std::vector<Cell> row = {run.run->name};
    putRank(row, run, position);
    row.emplace_back(std::string(phaseName(phase)));
    return row;
}

std::vector<Column> statisticsColumns(const std::string& where, const std::string& title) {
    return {{where + "_mean_ns", title + " mean", Unit::Duration},
            {where + "_median_ns", title + " median", Unit::Duration},
            {where + "_min_ns", title + " min", Unit::Duration},
            {where + "_max_ns", title + " max", Unit::Duration},
            {where + "_std_ns", title + " standard deviation", Unit::Duration},
            {where + "_variance_ns2", title + " variance in ns²", Unit::Count},
            {where + "_share", "of the step", Unit::Share}};
}

void putStatistics(std::vector<Cell>& row, const Statistics& statistics, double share) {
    row.insert(row.end(), {numberCell(std::llround(statistics.mean_ns)), statistics.median_ns, statistics.min_ns,
                           statistics.max_ns, numberCell(std::llround(std::sqrt(statistics.variance_ns2))),
                           statistics.variance_ns2, share});
}

}  // namespace

DataTable phasesTable(const AnalysedRun& run) {
    DataTable table{"phases",
                    rankColumns({{"phase", "phase", Unit::Word},
                                 {"step", "step", Unit::Number},
                                 {"host_ns", "CPU", Unit::Duration},
                                 {"device_ns", "GPU", Unit::Duration},
                                 {"device_span_ns", "GPU, first to last", Unit::Duration}}),
                    {}};
    forEachPhase(run, [&](Phase phase, RankPosition position) {
        const RankFacts& facts = run.facts.ranks[position];
        const bool device = facts.device >= 0;
        for (std::size_t step = 0; step < facts.phases.steps.size(); ++step) {
            const PhaseTime& time = facts.phases.steps[step][phase];
            std::vector<Cell> row = rowOf(run, position, phase);
            row.insert(row.end(), {facts.steps[step].index, time.host_ns, device ? Cell(time.device_ns) : Cell(),
                                   device ? Cell(time.device_span_ns) : Cell()});
            table.rows.push_back(std::move(row));
        }
    });
    return table;
}

DataTable phaseStatisticsTable(const AnalysedRun& run) {
    DataTable table{"phase_statistics", rankColumns({{"phase", "phase", Unit::Word}}), {}};
    for (const auto& [where, title] : {std::pair("host", "CPU"), std::pair("device", "GPU")}) {
        const std::vector<Column> columns = statisticsColumns(where, title);
        table.columns.insert(table.columns.end(), columns.begin(), columns.end());
    }
    forEachPhase(run, [&](Phase phase, RankPosition position) {
        const RankFacts& facts = run.facts.ranks[position];
        if (const auto statistics = phaseStatistics(facts, phase)) {
            std::vector<Cell> row = rowOf(run, position, phase);
            putStatistics(row, statistics->host, statistics->host_share);
            if (facts.device >= 0) {
                putStatistics(row, statistics->device, statistics->device_share);
            }
            row.resize(table.columns.size());
            table.rows.push_back(std::move(row));
        }
    });
    return table;
}

}  // namespace rankscope::report
