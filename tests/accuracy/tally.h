// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "tests/accuracy/score.h"

namespace rankscope::accuracy {

/// What the matrix says of one finding id.
struct FindingTally {
    std::size_t planted = 0;      ///< faults that have to be found
    std::size_t found = 0;        ///< of these
    std::size_t ranks_right = 0;  ///< of the found ones
    std::size_t false_above_low = 0;
    std::size_t false_low = 0;
    std::size_t estimates = 0;                ///< of those found that have a price: too high, and said to be
    std::size_t price_right = 0;              ///< of the other ones
    std::vector<double> price_error_percent;  ///< of the step, of the same

    [[nodiscard]] double precision() const;
    [[nodiscard]] double recall() const;
    [[nodiscard]] double medianError() const;
    [[nodiscard]] double worstError() const;
};

/// What the matrix says of the clocks.
struct ClockTally {
    std::vector<DurationNs> errors_ns;  ///< sorted
    std::size_t covered = 0;
    std::size_t within_target = 0;
};

/// The whole matrix, added up.
struct Tally {
    std::size_t runs = 0;
    std::size_t broken = 0;  ///< runs that could not be judged
    std::size_t healthy = 0;
    std::size_t healthy_clean = 0;  ///< healthy runs without a finding above low
    std::map<std::string, FindingTally> findings;
    ClockTally clocks;

    /// Design section 8: all faults found with their ranks and prices, healthy runs clean, clocks within their target
    /// and in 95 % of the cases within their uncertainty.
    [[nodiscard]] bool holds() const;
};

[[nodiscard]] Tally tallyOf(const std::vector<CaseScore>& scores);

/// What failed in one run, a line each, with the finding's id first; nothing where all is well.
[[nodiscard]] std::vector<std::string> failuresOf(const CaseScore& score);

}  // namespace rankscope::accuracy
