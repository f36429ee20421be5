// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/diagnosis/frame/analysed_run.h"
#include "core/report/tables/data_table.h"
#include "core/tables/table.h"

// The facts of a run as tables, for CSV and for HTML. Columns have the names and the meaning of the JSON report's
// fields. Each table starts with the run's name; `id` is a position in the run's ranks, as in the JSON.
namespace rankscope::report {

/// A row per step of the run.
[[nodiscard]] DataTable runStepsTable(const AnalysedRun& run);
/// A row per step of a rank: where its time went.
[[nodiscard]] DataTable stepsTable(const AnalysedRun& run);
/// A row per step of a rank with device work: why the device was idle. The causes add up to idle_ns.
[[nodiscard]] DataTable idleCausesTable(const AnalysedRun& run);
/// A row per known phase of a step of a rank.
[[nodiscard]] DataTable phasesTable(const AnalysedRun& run);
/// A row per phase of a rank: its times over the complete, steady-state steps.
[[nodiscard]] DataTable phaseStatisticsTable(const AnalysedRun& run);
/// A row per rank and name of an operator or range: host time over the whole window, longest self time first.
[[nodiscard]] DataTable operatorsTable(const AnalysedRun& run);
/// A row per rank and name of a kernel or copy: device time over the whole window, longest first.
[[nodiscard]] DataTable kernelsTable(const AnalysedRun& run);
/// A row per process group: what it is for, what ran in it, and why.
[[nodiscard]] DataTable groupsTable(const AnalysedRun& run);
/// A row per dimension of the job's grid, the outermost first.
[[nodiscard]] DataTable gridTable(const AnalysedRun& run);
/// A row per rank: its place in the grid, and its exposed communication by role, summed over its counted steps.
[[nodiscard]] DataTable placesTable(const AnalysedRun& run);
/// A row per step of a rank: its exposed communication by role.
[[nodiscard]] DataTable roleStepsTable(const AnalysedRun& run);
/// A row per pipeline: its schedule, and where the time of its ranks went, summed over its counted steps.
[[nodiscard]] DataTable pipelinesTable(const AnalysedRun& run);
/// A row per stage of a pipeline: its times per micro-batch.
[[nodiscard]] DataTable stagesTable(const AnalysedRun& run);
/// A row per step of a rank of a pipeline: where its time went.
[[nodiscard]] DataTable pipelineStepsTable(const AnalysedRun& run);
/// A row per pass of a micro-batch through a stage.
[[nodiscard]] DataTable passesTable(const AnalysedRun& run);
/// A row per rank's part in a gather or scatter of shards: when it was launched, ran and was needed, and why it waits.
[[nodiscard]] DataTable shardPartsTable(const AnalysedRun& run);
/// A row per rank: its exposed gathers and scatters of shards, the mean of its counted steps, and why they are.
[[nodiscard]] DataTable shardRanksTable(const AnalysedRun& run);
/// A row per unit of shards and operation, over all ranks and steps, the most exposed time first.
[[nodiscard]] DataTable shardUnitsTable(const AnalysedRun& run);
/// A row per rank and operation of experts (dispatch, combine), summed over its counted steps.
[[nodiscard]] DataTable expertsTable(const AnalysedRun& run);
/// A row per pass of a layer of experts through all ranks of its group: how evenly they compute.
[[nodiscard]] DataTable expertLayersTable(const AnalysedRun& run);
/// A row per kind and size of collectives in a tensor or sequence group.
[[nodiscard]] DataTable tensorOperationsTable(const AnalysedRun& run);
/// A row per layer of the model: the same collectives.
[[nodiscard]] DataTable tensorLayersTable(const AnalysedRun& run);
/// A row per kind of iteration of a server.
[[nodiscard]] DataTable iterationsTable(const AnalysedRun& run);
/// A row per step of a rank: its FLOPs, its use of the device, and what became of the device's time.
[[nodiscard]] DataTable efficiencyStepsTable(const AnalysedRun& run);
/// One row: the FLOPs per step that the user entered, and the MFU that they give; none if none were entered.
[[nodiscard]] DataTable enteredEfficiencyTable(const AnalysedRun& run);
/// The last columns of the three tables below: where and when the longest one was, and how long.
inline constexpr std::size_t kPlaceColumns = 3;
/// A row per operator that multiplies, by shapes and type of its inputs, longest first.
[[nodiscard]] DataTable productsTable(const AnalysedRun& run);
/// The same for one rank; without a rank, for all.
[[nodiscard]] DataTable productsOf(const AnalysedRun& run, std::optional<RankPosition> rank);
/// "8x2048x256 768x256": the sizes of the tensors in an `Input Dims`, in any of its notations.
[[nodiscard]] std::string sizesText(std::string_view written);
/// A row per kernel that works on such operators, longest first.
[[nodiscard]] DataTable productKernelsTable(const AnalysedRun& run);
/// The same for one rank; without a rank, for all.
[[nodiscard]] DataTable productKernelsOf(const AnalysedRun& run, std::optional<RankPosition> rank);
/// A row per kernel that computes outside all counted products, longest first.
[[nodiscard]] DataTable uncountedKernelsTable(const AnalysedRun& run);
/// A row per member of a collective; `collective` is its position in the JSON's `collectives`.
[[nodiscard]] DataTable collectivesTable(const AnalysedRun& run);
/// A row per rank: its segment time between blocking collectives, its segment saving, and what the findings that name
/// it would save.
[[nodiscard]] DataTable stragglersTable(const AnalysedRun& run);
/// A row per rank: what was read, and the medians of its steps.
[[nodiscard]] DataTable ranksTable(const AnalysedRun& run);
/// A row per rank with device work in its steps: the medians over the priced steps, or the means if the run uses means
/// (RunFacts::basis). The values of partitionTable() and causeTable().
[[nodiscard]] DataTable typicalStepsTable(const AnalysedRun& run);
/// A row per rank: what converts its times to the run's clock.
[[nodiscard]] DataTable clocksTable(const AnalysedRun& run);
/// A row per rank: what is missing or wrong in its files.
[[nodiscard]] DataTable healthTable(const AnalysedRun& run);
/// A row per finding, in their order. Lists in a cell have spaces between numbers and " | " between texts.
[[nodiscard]] DataTable findingsTable(const AnalysedRun& run);
/// A row per piece of evidence of the finding at this index.
[[nodiscard]] DataTable evidenceTable(const AnalysedRun& run, std::size_t finding);
/// The same for all findings.
[[nodiscard]] DataTable evidenceTable(const AnalysedRun& run);
/// A row per finding that these traces cannot tell.
[[nodiscard]] DataTable cannotTellTable(const AnalysedRun& run);

/// One of the tables, for lists in which people choose one.
struct RunTable {
    std::string_view title;  ///< for people: "Layers of experts"
    std::function<DataTable(const AnalysedRun& run)> make;
    /// Whether the job can have such rows, without computing them; empty if any job can.
    std::function<bool(const AnalysedRun& run)> can_have = {};
    const tables::Table* declared = nullptr;  ///< its declaration, if it is a tables::Fact
};
/// Those of this folder, then all declared facts (core/facts/fact.h).
[[nodiscard]] std::span<const RunTable> runTableList();
/// All of them, in this order.
[[nodiscard]] std::vector<DataTable> runTables(const AnalysedRun& run);

/// The columns of a table with a row per rank: those that name it, then `further`.
[[nodiscard]] std::vector<Column> rankColumns(std::vector<Column> further);
/// The numbers of ranks with spaces between them.
[[nodiscard]] std::string numbersOf(const std::vector<RankNumber>& ranks);
/// The two cells that name a rank: its position and its number.
void putRank(std::vector<Cell>& row, const AnalysedRun& run, RankPosition position);
/// Nanoseconds from the start of the run, on the run's clock.
[[nodiscard]] Cell timeCell(const AnalysedRun& run, RankPosition position, TimeNs file_ns);

/// A part's share of a whole, 0 to 1; nothing if the whole is zero.
[[nodiscard]] inline std::optional<double> shareOf(DurationNs part_ns, DurationNs whole_ns) {
    return whole_ns > 0 ? std::optional(static_cast<double>(part_ns) / static_cast<double>(whole_ns)) : std::nullopt;
}

/// A sum over `steps` as an average per step; none if no step is complete and steady.
[[nodiscard]] inline std::optional<DurationNs> meanOfAStep(DurationNs sum_ns, std::size_t steps) {
    return steps > 0 ? std::optional(sum_ns / static_cast<DurationNs>(steps)) : std::nullopt;
}

}  // namespace rankscope::report
