// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/analysis/facts.h"

// Exposed communication of shard units, for the tables of all reports.
namespace rankscope::report {

/// The gathers or scatters of one unit, over all ranks and steps.
struct UnitTimes {
    std::size_t unit = 0;  ///< index in ShardFacts::units
    ShardOperation operation = ShardOperation::Gather;
    std::size_t count = 0;
    ShardTimes exposed;
    DurationNs longest_ns = 0;  ///< the longest transfer; 0 if none is known
};

/// All units with gathers or scatters, the most exposed time first.
[[nodiscard]] std::vector<UnitTimes> unitTimes(const RunFacts& facts);

}  // namespace rankscope::report
