// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/tables/declared_rows.h"
#include "core/tables/slice_places.h"

// The tables of the model, a file each, and what their rows share.
namespace rankscope::tables {

/// One row per run.
[[nodiscard]] Table runTable();
/// One row per rank.
[[nodiscard]] Table rankTable();
/// One row per thread or stream.
[[nodiscard]] Table trackTable();
/// One row per slice: views of the columns in memory, without copies.
[[nodiscard]] Table sliceTable();
/// One row per argument of a slice that is in memory.
[[nodiscard]] Table argTable();
/// One row per piece of GPU work with its call.
[[nodiscard]] Table launchTable();
/// One row per step of a rank.
[[nodiscard]] Table stepTable();
/// One row per gap in a step.
[[nodiscard]] Table gapTable();
/// One row per part of a gap with its cause.
[[nodiscard]] Table gapCauseTable();
/// One row per process group with collectives.
[[nodiscard]] Table processGroupTable();
/// One row per collective.
[[nodiscard]] Table collectiveTable();
/// One row per rank's part in a collective.
[[nodiscard]] Table collectiveMemberTable();
/// One row per change of a counter or reading of a sensor.
[[nodiscard]] Table counterTable();
/// One row per event of the allocator.
[[nodiscard]] Table memoryEventTable();
/// One row per finding.
[[nodiscard]] Table findingTable();
/// One row per slice that proves a finding.
[[nodiscard]] Table findingEvidenceTable();

/// Converts an instant on the clock of a rank's file to nanoseconds from the run's first instant, on the run's clock.
[[nodiscard]] std::int64_t onRunClock(const AnalysedRun& run, RankPosition rank, TimeNs file_ns);
/// The number of a rank; null if no file has it.
[[nodiscard]] Value rankValue(const AnalysedRun& run, RankPosition rank);
/// 1 or 0.
[[nodiscard]] inline Value flagValue(bool flag) {
    return std::int64_t{flag ? 1 : 0};
}

/// The rank that a row is about.
struct OfRank {
    const AnalysedRun* run = nullptr;
    RankPosition rank;

    /// The trace of the rank.
    [[nodiscard]] const RankTrace& trace() const { return *run->run->ranks[rank]; }
    /// An instant of its file, from the run's first instant, on the run's clock.
    [[nodiscard]] std::int64_t at(TimeNs file_ns) const { return onRunClock(*run, rank, file_ns); }
};

/// Calls `visit` with each rank of each run.
template <class Visit>
void eachRankOf(const Runs& runs, const Visit& visit) {
    for (const AnalysedRun* run : runs) {
        for (RankPosition rank{0}; rank < run->run->ranks.size(); ++rank) {
            visit(OfRank{run, rank});
        }
    }
}

/// Several lists of columns as one.
template <class Row>
[[nodiscard]] std::vector<DeclaredColumn<Row>> joined(const std::vector<std::vector<DeclaredColumn<Row>>>& lists) {
    std::vector<DeclaredColumn<Row>> all;
    for (const std::vector<DeclaredColumn<Row>>& list : lists) {
        all.insert(all.end(), list.begin(), list.end());
    }
    return all;
}

/// The column `id` of rows that have one.
template <class Row>
[[nodiscard]] DeclaredColumn<Row> idColumn() {
    return {{"id", Type::Integer, "its number", Access::Seek}, [](const Row& row) { return Value(row.id); }};
}

/// The column `run` of rows that have one.
template <class Row>
[[nodiscard]] DeclaredColumn<Row> runColumn() {
    return {{"run", Type::Text, "name of the run", Access::Scan},
            [](const Row& row) { return Value(std::string_view(row.run->run->name)); }};
}

/// The columns `run` and `rank` of rows that are OfRank.
template <class Row>
[[nodiscard]] std::vector<DeclaredColumn<Row>> placeColumns() {
    return {runColumn<Row>(),
            {{"rank", Type::Integer, "number of the rank; null where no file says it", Access::Seek},
             [](const Row& row) { return rankValue(*row.run, row.rank); }}};
}

/// The columns `start_ns`, `dur_ns` and `end_ns` of rows OfRank with a span() on the clock of the rank's file. As in
/// `slice`, the length is that of the file.
template <class Row>
[[nodiscard]] std::vector<DeclaredColumn<Row>> timeColumns() {
    return {{{"start_ns", Type::Integer, "from the run's first instant, on the run's clock", Access::Scan},
             [](const Row& row) { return Value(row.at(row.span().start_ns)); }},
            {{"dur_ns", Type::Integer, "length, as recorded", Access::Scan},
             [](const Row& row) { return Value(row.span().length()); }},
            {{"end_ns", Type::Integer, "start_ns + dur_ns", Access::Scan},
             [](const Row& row) { return Value(row.at(row.span().start_ns) + row.span().length()); }}};
}

}  // namespace rankscope::tables
