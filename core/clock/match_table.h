// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/clock/run_clock.h"

namespace rankscope {

/// Matches for the fit: flat, and by clock domain instead of rank. A domain may have several members in a match.
/// Matches within one domain are left out.
struct MatchTable {
    static constexpr std::uint32_t kLeaveOut = std::numeric_limits<std::uint32_t>::max();

    std::size_t domains = 0;
    std::vector<std::size_t> first = {0};  ///< match m has the members [first[m], first[m + 1])
    std::vector<std::uint32_t> domain;     ///< by member
    std::vector<TimeSpan> span;            ///< by member, on its file clock

    /// The number of matches.
    [[nodiscard]] std::size_t size() const { return first.size() - 1; }
};

/// `domain_of_rank` may leave ranks out of the fit.
[[nodiscard]] MatchTable makeMatchTable(const std::vector<ClockMatch>& matches,
                                        const std::vector<std::uint32_t>& domain_of_rank, std::size_t domains);

}  // namespace rankscope
