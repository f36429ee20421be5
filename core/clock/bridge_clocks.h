// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/clock/fit_clocks.h"
#include "core/clock/run_clock.h"
#include "core/trace/run.h"

namespace rankscope {

/// How clock domains were connected that no collective connects which its members end together.
struct ClockBridge {
    std::size_t matches = 0;   ///< sends and receives, or the like, that the bridge is based on
    DurationNs spread_ns = 0;  ///< how far their ends are apart, as a standard deviation: the largest of all islands
    std::size_t islands = 0;   ///< that were connected with others
};

/// Connects what `fit` leaves apart. Domains that it connects are an island, whose clocks stay as they are to one
/// another. The matches that do not end together are fitted like any others, island by island: where ranks wait for one
/// another, the middle of their ends is the same instant. It is believed of an island only if in most of its matches no
/// member ends before another has started, as kernels do not that wait. The doubt of it is that of the fit, and one
/// standard deviation of the ends, since what spreads them may always be the same: one rank may receive more than
/// others.
///
/// `domain_of_rank` as for makeMatchTable(), `window_of` by domain. O(n log n) in the members of matches.
[[nodiscard]] ClockBridge bridgeIslands(const std::vector<ClockMatch>& matches,
                                        const std::vector<std::uint32_t>& domain_of_rank,
                                        const std::vector<TimeSpan>& window_of, ClockFit& fit);

}  // namespace rankscope
