// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/accuracy/machine_score.h"

namespace rankscope::accuracy {

/// What all runs of one planted fault say at one resolution. Only those count that have to be found.
struct MachineRow {
    std::size_t found = 0;
    std::size_t in_front = 0;  ///< first or second in the list
    std::size_t ranks_right = 0;
    std::size_t price_right = 0;   ///< of the steps that it stands on; an upper bound that holds
    std::size_t bounds = 0;        ///< of these, upper bounds
    std::size_t price_holds = 0;   ///< what is demanded: right, or of what is judged by it, the interval
    std::size_t range_right = 0;   ///< price right, or the truth in the interval that is told
    std::size_t window_right = 0;  ///< price right if every step of the window counted, and bounds were forecasts
    std::vector<double> price_error_percent;  ///< of the step that counts, of the found ones
};

/// One planted fault.
struct MachineFaultTally {
    std::string finding;
    std::size_t planted = 0;
    std::size_t demanded = 0;  ///< of these
    Awaited awaited;           ///< how many may be wrong
    std::array<MachineRow, kResolutions> at;
    std::map<std::string, std::size_t> instead;  ///< what stood first in the list where it was not found, at any
};

/// The healthy runs at one resolution.
struct MachineHealthTally {
    std::size_t silent = 0;                     ///< runs without a finding above low
    std::map<std::string, std::size_t> strays;  ///< findings above low
};

/// The whole matrix, added up.
struct MachineTally {
    std::size_t runs = 0;
    std::vector<std::string> broken;  ///< what could not be judged, and why
    std::size_t healthy = 0;
    std::vector<std::pair<std::string, MachineFaultTally>> faults;  ///< by row, in the order of the matrix
    std::array<MachineHealthTally, kResolutions> health;
    std::size_t healthy_jobs = 0;  ///< of jobs whose work is divided in a grid
    std::array<MachineHealthTally, kResolutions> job_health;

    /// Of the faults that are worth it no more than is awaited of each not found, first or second, with its ranks and
    /// price, at each resolution; at most one in a hundred healthy runs, of DDP and of divided jobs, with a finding
    /// above low that is not true.
    [[nodiscard]] bool holds() const;
};

[[nodiscard]] MachineTally tallyOf(const std::vector<MachineScore>& scores);

/// The tables, in Markdown, and what cannot be found by name.
[[nodiscard]] std::string markdownOf(const MachineTally& tally);

/// What failed in one run, a line each: its row first.
[[nodiscard]] std::vector<std::string> failuresOf(const MachineScore& score);

}  // namespace rankscope::accuracy
