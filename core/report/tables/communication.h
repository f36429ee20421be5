// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "core/diagnosis/prices/fitted_links.h"
#include "core/report/tables/data_table.h"
#include "core/report/tables/table.h"

// What the reports say about the speed of communication, and about how much of it is hidden.
namespace rankscope::report {

/// Ring and tree are predicted for these multiples of a group's ranks, and for the sizes below.
inline constexpr std::array<std::size_t, 4> kPredictedTimes = {1, 2, 4, 8};
inline constexpr std::int64_t kLeastPredicted = 1024;
inline constexpr std::int64_t kMostPredicted = std::int64_t{1024} * 1024 * 1024;
inline constexpr std::int64_t kPredictedFactor = 4;  ///< from one size to the next

/// A row per fit: latency, bandwidth, quality of the fit, and the speed of the link.
[[nodiscard]] DataTable transferFitsTable(const AnalysedRun& run);
/// A row per fit and size: measured against predicted.
[[nodiscard]] DataTable transferSizesTable(const AnalysedRun& run);
/// A row per fit, number of ranks and size: what ring and tree should take.
[[nodiscard]] DataTable predictionsTable(const AnalysedRun& run);
/// A row per step of a rank: hidden and exposed communication, and the bounds of the step.
[[nodiscard]] DataTable overlapTable(const AnalysedRun& run);

/// What a fit is about: "all-reduce in default_pg, 8 ranks, inside a host".
[[nodiscard]] std::string fitTitle(const AnalysedRun& run, const FittedLink& link);
/// Whether the transfers of a link allow a prediction for ring and tree: that needs their bandwidth.
[[nodiscard]] bool predicts(const FittedLink& link);
/// Why the transfers of a run have no fit, in a sentence.
[[nodiscard]] std::string noFitText(const AnalysedRun& run);
/// A row for each of the first `rows` fits, for people.
[[nodiscard]] Table fitTable(const AnalysedRun& run, std::size_t rows);
/// Which lines do not fit, where a tree would be faster than a ring, and what is unknown about the links.
[[nodiscard]] std::vector<std::string> fitLines(const AnalysedRun& run, std::size_t rows);
/// A row for each of the first `rows` ranks, the mean of its steps.
[[nodiscard]] Table overlapByRank(const AnalysedRun& run, std::size_t rows);
/// What the values of both mean, and how many ranks the second leaves out after `rows`.
[[nodiscard]] std::string fitNote();
[[nodiscard]] std::string overlapNote(const AnalysedRun& run, std::size_t rows);

}  // namespace rankscope::report
