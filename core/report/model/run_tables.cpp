// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/model/run_tables.h"

#include "core/report/model/memory_summary.h"

#include <utility>

#include "core/report/check/check_tables.h"
#include "core/report/model/bucket_tables.h"
#include "core/report/model/chosen_steps.h"
#include "core/report/model/communication.h"
#include "core/report/model/rank_statistics.h"

namespace rankscope::report {

std::vector<Column> rankColumns(std::vector<Column> further) {
    further.insert(further.begin(),
                   {{"run", "run", Unit::Name}, {"id", "position", Unit::Number}, {"rank", "rank", Unit::Number}});
    return further;
}

void putRank(std::vector<Cell>& row, const AnalysedRun& run, RankPosition position) {
    row.push_back(numberCell(position));
    row.push_back(cellOf(run.run->ranks[position]->rank));
}

Cell timeCell(const AnalysedRun& run, RankPosition position, TimeNs file_ns) {
    return numberCell(run.clock.ranks[position].toRun(FileTime(file_ns)) - run.clock.base_ns);
}

std::vector<DataTable> runTables(const AnalysedRun& run) {
    return {runStepsTable(run),
            stepsTable(run),
            idleCausesTable(run),
            ranksTable(run),
            rankStatisticsTable(run),
            clocksTable(run),
            healthTable(run),
            phasesTable(run),
            phaseStatisticsTable(run),
            groupsTable(run),
            gridTable(run),
            placesTable(run),
            roleStepsTable(run),
            pipelinesTable(run),
            stagesTable(run),
            pipelineStepsTable(run),
            passesTable(run),
            shardPartsTable(run),
            expertsTable(run),
            expertLayersTable(run),
            tensorOperationsTable(run),
            tensorLayersTable(run),
            iterationsTable(run),
            collectivesTable(run),
            transferFitsTable(run),
            transferSizesTable(run),
            predictionsTable(run),
            overlapTable(run),
            bucketsTable(run),
            bucketCapsTable(run),
            stragglersTable(run),
            operatorsTable(run),
            kernelsTable(run),
            efficiencyStepsTable(run),
            productsTable(run),
            productKernelsTable(run),
            uncountedKernelsTable(run),
            findingsTable(run),
            evidenceTable(run),
            cannotTellTable(run),
            memoryPeaksTable(run),
            memoryOperatorsTable(run),
            memoryCheckpointsTable(run),
            checkTable(run),
            checkRanksTable(run),
            checkListsTable(run),
            protocolTable(run),
            tabledStepsTable(run),
            tabledRanksTable(run)};
}

namespace {

/// A row a rank that has one: `cells` are added to those that name it.
template <class Cells>
DataTable rankByRank(const AnalysedRun& run, DataTable table, Cells cells) {
    table.columns = rankColumns(std::move(table.columns));
    for (RankPosition position{0}; position < run.run->ranks.size(); ++position) {
        std::vector<Cell> row = {run.run->name};
        putRank(row, run, position);
        for (Cell& cell : cells(position)) {
            row.push_back(std::move(cell));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace

DataTable clocksTable(const AnalysedRun& run) {
    const DataTable columns{"clocks",
                            {{"host", "host", Unit::Name},
                             {"method", "method", Unit::Text},
                             {"offset_ns", "offset", Unit::Duration},
                             {"drift_ppm", "drift in ppm", Unit::Ppm},
                             {"uncertainty_ns", "uncertainty", Unit::Duration},
                             {"matches", "matches", Unit::Count}},
                            {}};
    return rankByRank(run, columns, [&run](RankPosition position) -> std::vector<Cell> {
        const RankClock& clock = run.clock.ranks[position];
        return {textCell(run.run->ranks[position]->host),
                std::string(clockMethodName(clock.method)),
                clock.offset_ns,
                clock.drift_ppm,
                cellOf(clock.uncertainty_ns),
                numberCell(clock.matches)};
    });
}

DataTable healthTable(const AnalysedRun& run) {
    const DataTable columns{"health",
                            {{"events", "events", Unit::Count},
                             {"slices", "slices", Unit::Count},
                             {"skipped", "not readable", Unit::Count},
                             {"recovered", "repaired", Unit::Count},
                             {"overlapping", "overlapping", Unit::Count},
                             {"negative_durations", "negative durations", Unit::Count},
                             {"early_kernels", "early kernels", Unit::Count},
                             {"unlinked_launches", "launches without a device record", Unit::Count},
                             {"unlinked_device", "device work without a launch", Unit::Count},
                             {"time_resolution_ns", "times to", Unit::Duration},
                             {"truncated", "truncated", Unit::Flag}},
                            {}};
    return rankByRank(run, columns, [&run](RankPosition position) -> std::vector<Cell> {
        const Health& health = run.run->ranks[position]->health;
        return {numberCell(health.events),
                numberCell(health.slices),
                numberCell(health.skipped),
                numberCell(health.recovered),
                numberCell(health.overlapping),
                numberCell(health.negative_durations),
                numberCell(health.early_kernels),
                numberCell(health.unlinked_launches),
                numberCell(health.unlinked_device),
                health.time_resolution_ns,
                health.truncated};
    });
}

}  // namespace rankscope::report
