// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <algorithm>

#include "core/base/format.h"
#include "core/report/model/step_medians.h"
#include "core/report/model/summary.h"
#include "core/report/model/vocabulary.h"

namespace rankscope::report {
namespace {

constexpr const char* kNone = "-";

std::string percentOr(const std::optional<double>& share) {
    return share ? formatPercent(*share) : kNone;
}

std::string durationOr(const std::optional<DurationNs>& ns) {
    return ns ? formatDuration(*ns) : kNone;
}

/// The medians of every rank that has device work, with its position.
struct RankRow {
    std::size_t position = 0;
    StepMedians medians;
};

std::vector<RankRow> rowsWithDevice(const AnalysedRun& run) {
    std::vector<RankRow> rows;
    for (std::size_t position = 0; position < run.facts.ranks.size(); ++position) {
        if (auto medians = stepMedians(run.facts.ranks[position]); medians && medians->partition) {
            rows.push_back({position, *medians});
        }
    }
    return rows;
}

std::string rowName(const AnalysedRun& run, const RankRow& row) {
    return rankLabel(*run.run->ranks[row.position], row.position) + (row.medians.over_all ? " *" : "");
}

}  // namespace

Table partitionTable(const AnalysedRun& run) {
    const std::vector<RankRow> rows = rowsWithDevice(run);
    // Transfer and waiting can be told apart only where collectives are matched over ranks.
    const bool split = std::ranges::any_of(
        rows, [](const RankRow& row) { return row.medians.partition->exposed_transfer_ns.has_value(); });
    Table table;
    table.header = {"", "steps", "step", "compute", "exposed comm"};
    if (split) {
        table.header.insert(table.header.end(), {"(transfer)", "(waiting)"});
    }
    table.header.insert(table.header.end(), {"exposed copy", "idle", "comm overlapped", "device busy"});
    for (const RankRow& row : rows) {
        const StepMedians& medians = row.medians;
        const Partition& part = *medians.partition;
        std::vector<std::string> cells = {rowName(run, row), fmt::format("{} of {}", medians.steady, medians.steps),
                                          formatDuration(medians.duration_ns), formatDuration(part.compute_ns),
                                          formatDuration(part.exposed_comm_ns)};
        if (split) {
            cells.insert(cells.end(), {durationOr(part.exposed_transfer_ns), durationOr(part.exposed_wait_ns)});
        }
        cells.insert(cells.end(), {formatDuration(part.exposed_copy_ns), formatDuration(part.idle_ns),
                                   percentOr(medians.overlap), percentOr(medians.utilisation)});
        table.rows.push_back(std::move(cells));
    }
    return table;
}

Table causeTable(const AnalysedRun& run) {
    const std::vector<RankRow> rows = rowsWithDevice(run);
    Table table;
    table.header = {"", "idle"};
    std::vector<Cause> causes;
    for (std::size_t i = 0; i < kCauseCount; ++i) {
        const auto cause = static_cast<Cause>(i);
        if (std::ranges::any_of(rows, [cause](const RankRow& row) { return row.medians.idle_causes[cause] > 0; })) {
            causes.push_back(cause);
            table.header.emplace_back(causeName(cause));
        }
    }
    for (const RankRow& row : rows) {
        std::vector<std::string> cells = {rowName(run, row), formatDuration(row.medians.partition->idle_ns)};
        for (const Cause cause : causes) {
            const DurationNs ns = row.medians.idle_causes[cause];
            cells.push_back(ns > 0 ? formatDuration(ns) : kNone);
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::string mediansNote(const AnalysedRun& run) {
    std::string note =
        "Medians over the complete, steady-state steps, column by column: they need not add up, as each step does.";
    if (std::ranges::any_of(rowsWithDevice(run), [](const RankRow& row) { return row.medians.over_all; })) {
        note += " * No step of this rank is complete and ordinary: over all its steps.";
    }
    return note;
}

}  // namespace rankscope::report
