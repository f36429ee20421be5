// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/clock/match_table.h"
#include "core/clock/run_clock.h"

namespace rankscope {

/// Every domain's clock to within the spread of ends: precise enough to separate wrong matches from right ones, and to
/// find the last arriver of a collective.
struct RoughClocks {
    std::vector<RankClock> clocks;         ///< by domain: offset and drift
    std::vector<std::uint32_t> reference;  ///< by domain: the lowest domain that matches connect it with, or itself
};

/// Places domain after domain, each time the one that has most matches with those already placed, by the median of
/// these matches, so a wrong match does no harm.
[[nodiscard]] RoughClocks roughClocks(const MatchTable& table);

}  // namespace rankscope
