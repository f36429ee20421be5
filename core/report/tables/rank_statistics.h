// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "core/report/tables/data_table.h"
#include "core/report/tables/table.h"

namespace rankscope::report {

/// A fact with a value for each rank, and the distribution of these values. The values are those of the tables of
/// ranks.
struct RankStatistic {
    std::string key;    ///< as in the JSON, with the unit in it: "exposed_comm_ns"
    std::string title;  ///< for people
    Unit unit = Unit::Duration;
    std::vector<std::optional<double>> of;  ///< parallel to Run::ranks; nothing if a rank has none
    std::size_t ranks = 0;                  ///< ranks with a value: at least one
    double mean = 0;
    double min = 0;
    double max = 0;
    double deviation = 0;  ///< the population standard deviation of these values, not an estimate for other ranks
    /// The rank with the worst value: the largest, or the smallest if more is better; of equals the first. Nothing if
    /// all ranks are equal, or if neither is worse.
    std::optional<RankPosition> worst;
};

/// All facts that any rank has, except those that are zero on all ranks. O(ranks x steps).
[[nodiscard]] std::vector<RankStatistic> rankStatistics(const AnalysedRun& run);

/// A row per statistic with its key and its words, numbers in the unit of its key.
[[nodiscard]] DataTable rankStatisticsTable(const AnalysedRun& run);
/// The same for people. No rows with fewer than two ranks.
[[nodiscard]] Table rankStatisticsText(const AnalysedRun& run);
/// What the values of both mean.
[[nodiscard]] std::string rankStatisticsNote();

}  // namespace rankscope::report
