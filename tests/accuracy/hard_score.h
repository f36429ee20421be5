// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "tests/accuracy/hard_cases.h"
#include "tests/accuracy/machine_score.h"

namespace rankscope::accuracy::hard {

/// One planted fault at one resolution.
struct FaultAt {
    bool found = false;
    bool ranks_right = false;
    bool price_right = false;  ///< within 10 % or 1 % of the step; an upper bound may be above
    bool first = false;        ///< the first finding of the list is of a fault of this run that has to be found
    std::string said;          ///< for people: what was found, and the truth
};

/// One planted fault.
struct FaultScore {
    std::string name;
    bool demanded = false;  ///< it costs 3 % of the mean step or more
    bool dearest = false;   ///< and more than any other of its run
    std::array<FaultAt, kResolutions> at;
};

struct Score {
    std::string name;
    std::string row;
    std::string error;  ///< why it could not be judged; empty if it could
    std::vector<FaultScore> faults;
    /// By resolution: the ids of findings above low that no planted fault explains.
    std::array<std::vector<std::string>, kResolutions> alarms;
};

/// Simulates, writes, loads, analyses and compares, at each resolution.
[[nodiscard]] Score judge(const Case& one);

/// What the runs of a row come to at one resolution.
struct RowAt {
    std::size_t found = 0;
    std::size_t ranks_right = 0;
    std::size_t price_right = 0;
    std::size_t first = 0;   ///< runs with a fault that has to be found, and such a one first in the list
    std::size_t alarms = 0;  ///< runs with a finding above low that nothing planted explains
};
struct Row {
    std::string name;
    std::size_t runs = 0;
    std::size_t demanded = 0;  ///< faults that have to be found
    std::size_t dearest = 0;   ///< runs with such a fault
    std::array<RowAt, kResolutions> at;
    std::map<std::string, std::size_t> alarms;  ///< their findings, over all resolutions
};

[[nodiscard]] std::vector<Row> rowsOf(const std::vector<Score>& scores);
/// The table, in Markdown.
[[nodiscard]] std::string markdownOf(const std::vector<Row>& rows);
/// A line for each fault that is not found, or with other ranks or another price, and for each false alarm.
[[nodiscard]] std::vector<std::string> failuresOf(const Score& score);
/// Whether no more is wrong than docs/accuracy.md explains.
[[nodiscard]] bool holds(const std::vector<Row>& rows);

}  // namespace rankscope::accuracy::hard
