// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/run_tables.h"

#include "core/report/tables/memory_summary.h"

#include <algorithm>
#include <utility>

#include "core/facts/fact.h"
#include "core/report/check/check_tables.h"
#include "core/report/companions/companion_tables.h"
#include "core/report/tables/bucket_tables.h"
#include "core/report/tables/chosen_steps.h"
#include "core/report/tables/communication.h"
#include "core/report/tables/rank_statistics.h"

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

namespace {

bool hasGroups(const AnalysedRun& run) {
    return !run.facts.parallelism.groups.empty();
}
bool hasGrid(const AnalysedRun& run) {
    return !run.facts.parallelism.grid.dimensions.empty();
}
bool hasPipelines(const AnalysedRun& run) {
    return !run.facts.pipeline.pipelines.empty();
}
bool hasShards(const AnalysedRun& run) {
    return run.facts.shards.any();
}
bool hasExperts(const AnalysedRun& run) {
    return run.facts.experts.any();
}
bool hasTensor(const AnalysedRun& run) {
    return !run.facts.tensor.operations.empty();
}
/// False for a single row without a name: it would only repeat the sum of all collectives.
bool hasTensorLayers(const AnalysedRun& run) {
    return std::ranges::any_of(run.facts.tensor.layers, [](const TensorLayer& layer) { return !layer.name.empty(); });
}
bool hasCollectives(const AnalysedRun& run) {
    return !run.facts.collectives.collectives.empty();
}
bool serves(const AnalysedRun& run) {
    return run.facts.iterations.any();
}
bool hasLengthsOfAllSteps(const AnalysedRun& run) {
    return run.run->chosen_steps != nullptr;
}
bool hasEnteredFlops(const AnalysedRun& run) {
    return run.facts.efficiency.entered.has_value();
}
bool hasBuckets(const AnalysedRun& run) {
    return run.diagnosis.buckets.has_value();
}

/// A table of this folder.
struct OwnTable {
    std::string_view title;
    DataTable (*make)(const AnalysedRun& run);
    bool (*can_have)(const AnalysedRun& run) = nullptr;
};

constexpr OwnTable kTables[] = {
    {"Steps of the run", runStepsTable},
    {"Steps of each rank", stepsTable},
    {"Why the GPU was idle", idleCausesTable},
    {"Where the step time goes", typicalStepsTable},
    {"Ranks", ranksTable},
    {"Statistics over ranks", rankStatisticsTable},
    {"Clocks", clocksTable},
    {"Health of the files", healthTable},
    {"Phases of each step", phasesTable},
    {"Phases of each rank", phaseStatisticsTable},
    {"Process groups", groupsTable, hasGroups},
    {"Dimensions of the job", gridTable, hasGrid},
    {"Places of the ranks", placesTable, hasGroups},
    {"Exposed communication by role", roleStepsTable, hasGroups},
    {"Pipelines", pipelinesTable, hasPipelines},
    {"Stages of a pipeline", stagesTable, hasPipelines},
    {"Steps of a pipeline", pipelineStepsTable, hasPipelines},
    {"Passes of micro-batches", passesTable, hasPipelines},
    {"Gathers and scatters of shards", shardPartsTable, hasShards},
    {"Exposed gathers and scatters by rank", shardRanksTable, hasShards},
    {"Exposed gathers and scatters by unit", shardUnitsTable, hasShards},
    {"Dispatch and combine of experts", expertsTable, hasExperts},
    {"Layers of experts", expertLayersTable, hasExperts},
    {"Collectives of tensor groups", tensorOperationsTable, hasTensor},
    {"Layers of the model", tensorLayersTable, hasTensorLayers},
    {"Iterations of a server", iterationsTable, serves},
    {"Collectives", collectivesTable, hasCollectives},
    {"Transfer fits", transferFitsTable, hasCollectives},
    {"Transfers by size", transferSizesTable, hasCollectives},
    {"Ring and tree by size", predictionsTable, hasCollectives},
    {"Overlap of each step", overlapTable},
    {"Gradient buckets", bucketsTable, hasBuckets},
    {"Steps by bucket size", bucketCapsTable, hasBuckets},
    {"Stragglers", stragglersTable},
    {"Operators of each rank", operatorsTable},
    {"Kernels of each rank", kernelsTable},
    {"Efficiency of each step", efficiencyStepsTable},
    {"Efficiency by the FLOPs entered", enteredEfficiencyTable, hasEnteredFlops},
    {"Products by operator", productsTable},
    {"Products by kernel", productKernelsTable},
    {"Kernels without a counted product", uncountedKernelsTable},
    {"Findings", findingsTable},
    {"Evidence of findings", evidenceTable},
    {"What the traces cannot show", cannotTellTable},
    {"Memory at the peak", memoryPeaksTable},
    {"Memory by operator", memoryOperatorsTable},
    {"Memory at checkpoints", memoryCheckpointsTable},
    {"Check", checkTable},
    {"Check of each rank", checkRanksTable},
    {"Check lists", checkListsTable},
    {"Protocol", protocolTable},
    {"Lengths of all steps", tabledStepsTable, hasLengthsOfAllSteps},
    {"Lengths of all steps by rank", tabledRanksTable, hasLengthsOfAllSteps},
};

std::vector<RunTable> allTables() {
    std::vector<RunTable> all;
    for (const OwnTable& own : kTables) {
        all.push_back({own.title, own.make, own.can_have, nullptr});
    }
    for (const tables::Fact& fact : tables::declaredFacts()) {
        const auto make = [&fact](const AnalysedRun& run) { return dataTableOf(fact.table, {&run}); };
        all.push_back({fact.title, make, fact.can_have, &fact.table});
    }
    return all;
}

}  // namespace

std::span<const RunTable> runTableList() {
    static const std::vector<RunTable> all = allTables();
    return all;
}

std::vector<DataTable> runTables(const AnalysedRun& run) {
    std::vector<DataTable> tables;
    for (const RunTable& table : runTableList()) {
        tables.push_back(table.make(run));
    }
    return tables;
}

namespace {

/// A row for each rank that has one: `cells` are added to those that name it.
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
                             {"unlinked_launches", "launches without a GPU record", Unit::Count},
                             {"unlinked_device", "GPU work without a launch", Unit::Count},
                             {"time_resolution_ns", "time resolution", Unit::Duration},
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
