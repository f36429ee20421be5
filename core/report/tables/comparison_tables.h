// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/report/tables/data_table.h"
#include "core/report/words/comparison_summary.h"

// Two runs side by side as tables, for all formats. The columns are named and meant as the fields of the JSON report's
// `comparisons`. Each table starts with the names of both runs.
namespace rankscope::report {

/// One row: the verdict with its numbers.
[[nodiscard]] DataTable comparisonTable(const ComparisonView& view);
/// A row per thing in which the runs differ.
[[nodiscard]] DataTable comparedDiffersTable(const ComparisonView& view);
/// A row per part of the mean step, and one for the whole: B - A adds up.
[[nodiscard]] DataTable comparedPartsTable(const ComparisonView& view);
/// A row per finding of either run.
[[nodiscard]] DataTable comparedFindingsTable(const ComparisonView& view);
/// A row per kernel or copy, the largest difference first.
[[nodiscard]] DataTable comparedKernelsTable(const ComparisonView& view);
/// A row an operator or range, the largest difference of self time first.
[[nodiscard]] DataTable comparedOperatorsTable(const ComparisonView& view);
/// Of one of these two, the rows in which something changed: times or calls.
[[nodiscard]] DataTable changedNames(const DataTable& names);
/// Shown if no such row is left.
inline constexpr std::string_view kNothingChanged = "Nothing changed.";
/// A row per sort of collective.
[[nodiscard]] DataTable comparedCollectivesTable(const ComparisonView& view);
/// A row per rank: where the time of its mean step went.
[[nodiscard]] DataTable comparedRanksTable(const ComparisonView& view);

/// All of them, in this order.
[[nodiscard]] std::vector<DataTable> comparisonTables(const ComparisonView& view);

}  // namespace rankscope::report
