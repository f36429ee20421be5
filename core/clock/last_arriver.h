// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/clock/match_ends.h"

namespace rankscope {

/// Fills `chain` and `last_arriver` of ends that are placed and judged.
void findLastArriver(const MatchTable& table, MatchEnds& ends);

/// By domain: the variance of its offset against its reference that comes of not knowing who arrived last,
/// in units of the lag squared. The matches of one chain are wrong together, those of different chains by chance.
[[nodiscard]] std::vector<double> doubtOfLast(const MatchTable& table, const MatchEnds& ends,
                                              const std::vector<std::uint32_t>& reference_of);

}  // namespace rankscope
