// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/clock/match_table.h"
#include "core/clock/run_clock.h"

namespace rankscope {

/// How many matches have a kept member that ends before another has started, which no collective can.
[[nodiscard]] std::size_t endsBeforeStart(const MatchTable& table, const std::vector<char>& kept,
                                          const std::vector<RankClock>& clocks);

/// Moves offsets until no kept member of a match ends before the last of them has started: each violation is shared
/// out by `softness` (by domain; 0 does not move), over and over. Returns how many matches remain that no offsets
/// make possible; the offsets stay as they were then.
[[nodiscard]] std::size_t keepCausality(const MatchTable& table, const std::vector<char>& kept,
                                        const std::vector<double>& softness, std::vector<RankClock>& clocks);

}  // namespace rankscope
