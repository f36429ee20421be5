// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/clock/match_table.h"
#include "core/clock/run_clock.h"

namespace rankscope {

/// The number of matches with a kept member that ends before another has started, which is impossible for a collective.
[[nodiscard]] std::size_t endsBeforeStart(const MatchTable& table, const std::vector<char>& kept,
                                          const std::vector<RankClock>& clocks);

/// Moves offsets until no kept member of a match ends before the last of them has started: each violation is divided by
/// `softness` (by domain; 0 does not move), repeatedly. Returns the number of matches that no offsets make possible;
/// the offsets are then those of the last attempt.
[[nodiscard]] std::size_t keepCausality(const MatchTable& table, const std::vector<char>& kept,
                                        const std::vector<double>& softness, std::vector<RankClock>& clocks);

/// Standard deviations in an uncertainty. A straight line stays within sqrt(9.21) of them at all its points at once in
/// 99 of 100 cases (9.21: the 99 % quantile of chi squared with two degrees of freedom).
constexpr double kSureDeviations = 3.03;

/// The clocks of domains, fitted on their matches.
struct ClockFit {
    std::vector<RankClock> clocks;  ///< by domain; RankClock::reference is not filled
    /// By domain: the lowest domain that matches connect it with, whose own times are kept; a domain without matches is
    /// its own reference.
    std::vector<std::uint32_t> reference;
    std::vector<std::optional<std::uint32_t>> island;  ///< by domain: see RankClock::island
    std::vector<DurationNs> in_island_ns;              ///< by domain, where `island` is filled
    std::vector<char> kept;                            ///< by member of the table: false if it was judged a wrong match
    std::size_t matches = 0;                           ///< matches that were used
    std::size_t set_aside = 0;                         ///< matches with an end that does not fit
    std::size_t ends_before_start = 0;  ///< matches that are impossible with any clocks: a member ends before another
                                        ///< starts
};

/// Least squares on the ends of matches, over all domains at once. The model: the ends of a match are equal on the
/// run's clock except for noise, and the last arriver ends later by a lag that is the same in all matches. The lag is
/// fitted too, if different members arrived last, since only then do the offsets show it. Else it is assumed to be
/// sqrt(3) standard deviations of the noise, with half of it as uncertainty: that is right if ends are uniformly spread
/// and the last arriver ends last. Wrong matches are left out. Then no member may end before the last has started. The
/// uncertainty is valid for the file times `window_of` of each domain.
[[nodiscard]] ClockFit fitClocks(const MatchTable& table, const std::vector<TimeSpan>& window_of);

}  // namespace rankscope
