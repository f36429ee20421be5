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
    std::vector<std::optional<double>> of;  ///< as Run::ranks; nothing if a rank has none
    std::size_t ranks = 0;                  ///< that have one: at least one
    double mean = 0;
    double min = 0;
    double max = 0;
    double deviation = 0;  ///< the standard deviation of these values themselves, not an estimate for other ranks
    /// Whose value is the worst: the largest, or the least of what is good; the first of equals. Nothing if all
    /// ranks are equal, or neither is worse.
    std::optional<RankPosition> worst;
};

/// All facts with a value for any rank, without those that are zero on all. O(ranks x steps).
[[nodiscard]] std::vector<RankStatistic> rankStatistics(const AnalysedRun& run);

/// A row per statistic with its key and its words, numbers in the unit of its key.
[[nodiscard]] DataTable rankStatisticsTable(const AnalysedRun& run);
/// The same for people. No rows where there are fewer than two ranks.
[[nodiscard]] Table rankStatisticsText(const AnalysedRun& run);
/// What the values of both are.
[[nodiscard]] std::string rankStatisticsNote();

}  // namespace rankscope::report
