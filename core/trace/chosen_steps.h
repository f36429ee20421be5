// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"

namespace rankscope {

/// A step over all ranks, from the facts of each rank alone: from the table `step` of digests.
struct TabledStep {
    std::int64_t number = 0;
    std::size_t ranks = 0;     ///< ranks that have the step
    std::size_t complete = 0;  ///< complete on these ranks; lengths below are over these, or over all if there are none
    DurationNs median_ns = 0;  ///< lower median of the step's lengths over the ranks
    DurationNs longest_ns = 0;
    RankNumber longest_rank = RankNumber(0);  ///< the first rank among those that take longest
    bool is_long = false;  ///< findOutliers() calls its median long, of all steps except the one that opens the run
};

/// A rank that took longer than usual in some steps, without waiting for others: measured by its step without exposed
/// communication. findOutliers() over its complete steps finds the long ones.
struct TabledRank {
    RankNumber rank = RankNumber(0);
    std::size_t long_steps = 0;
    std::int64_t first_long = 0;  ///< the numbers of the first and the last long step
    std::int64_t last_long = 0;
    std::int64_t worst_step = 0;  ///< the longest of them
    DurationNs worst_ns = 0;      ///< its own time in that step
    DurationNs typical_ns = 0;    ///< lower median of its own time over its complete steps
    DurationNs excess_ns = 0;     ///< by how much all long steps together exceed that
    std::string cause;            ///< why its device was idle most in the worst step (a name of Cause); may be empty
};

/// Which steps of a run of digests were read in full and why, and what the tables show of all steps.
struct ChosenSteps {
    std::int64_t first = 0;  ///< numbers of the steps that are read in full, inclusive
    std::int64_t last = 0;
    std::uint64_t budget_bytes = 0;      ///< the allowed memory for reading and analysing
    std::uint64_t all_bytes = 0;         ///< the estimated memory for all steps
    std::uint64_t read_bytes = 0;        ///< the estimated memory for the steps that are read
    std::size_t ranks = 0;               ///< in the tables
    std::size_t without = 0;             ///< of these, ranks without any of the steps that are read
    std::vector<TabledStep> steps;       ///< all, by number
    DurationNs median_ns = 0;            ///< lower median of the medians of all steps except the one that opens the run
    std::vector<TabledRank> long_ranks;  ///< the largest excess first, up to kMostLongRanks
    std::size_t long_rank_count = 0;     ///< the number of all such ranks

    static constexpr std::size_t kMostLongRanks = 32;
    /// Whether a step is one of those that are read in full.
    [[nodiscard]] bool reads(std::int64_t step) const { return step >= first && step <= last; }
};

/// A paragraph for people: that only these steps were read in full, why, and how to read others.
[[nodiscard]] std::string chosenStepsNote(const ChosenSteps& chosen);

}  // namespace rankscope
