// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/clock/match_table.h"
#include "core/clock/run_clock.h"

namespace rankscope {

/// The matches on the run's clock, as far as that is known.
struct MatchEnds {
    std::vector<TimeNs> at_ns;         ///< by match: the median end
    std::vector<double> late_ns;       ///< by member: its end minus at_ns
    std::vector<double> last_arriver;  ///< by member: the probability that it arrived last; 1 in total over the kept
                                       ///< members of a match
    std::vector<char> kept;            ///< by member: false if its end is too far from the others' to belong to the
                                       ///< match
    /// By match: the first match of the sequence without a pause that it belongs to. The last member to end one of them
    /// is the last to arrive at the next, so all of them show the same last arriver.
    std::vector<std::size_t> chain;
    double deviation_ns = 0;  ///< robust standard deviation of the ends
};

/// `clocks` by domain.
[[nodiscard]] MatchEnds matchEnds(const MatchTable& table, const std::vector<RankClock>& clocks);

/// Fills `chain` and `last_arriver` of ends that are placed and judged.
void findLastArriver(const MatchTable& table, MatchEnds& ends);

/// By domain: the variance of its offset against its reference from not knowing the last arriver, in units of the lag
/// squared. The errors of matches in one chain are equal; those of different chains are independent.
[[nodiscard]] std::vector<double> doubtOfLast(const MatchTable& table, const MatchEnds& ends,
                                              const std::vector<std::uint32_t>& reference_of);

}  // namespace rankscope
