// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/model/run_tables.h"

namespace rankscope::report {

std::vector<Column> rankColumns(std::vector<Column> further) {
    further.insert(further.begin(),
                   {{"run", "run", Unit::Name}, {"id", "position", Unit::Number}, {"rank", "rank", Unit::Number}});
    return further;
}

void putRank(std::vector<Cell>& row, const AnalysedRun& run, std::size_t position) {
    row.push_back(numberCell(position));
    row.push_back(cellOf(run.run->ranks[position]->rank));
}

Cell timeCell(const AnalysedRun& run, std::size_t position, TimeNs file_ns) {
    return numberCell(run.clock.ranks[position].toRun(file_ns) - run.clock.base_ns);
}

std::vector<DataTable> runTables(const AnalysedRun& run) {
    return {runStepsTable(run),    stepsTable(run),      idleCausesTable(run), ranksTable(run),
            clocksTable(run),      healthTable(run),     phasesTable(run),     phaseStatisticsTable(run),
            collectivesTable(run), stragglersTable(run), operatorsTable(run),  kernelsTable(run),
            findingsTable(run),    evidenceTable(run),   cannotTellTable(run)};
}

}  // namespace rankscope::report
