// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/clock/fit_clocks.h"
#include "core/clock/run_clock.h"
#include "core/trace/run.h"

namespace rankscope {

/// How clock domains were connected that share no collectives that all members end together.
struct ClockBridge {
    std::size_t matches = 0;   ///< the number of matches that it uses: sends and receives, or the like
    DurationNs spread_ns = 0;  ///< the standard deviation of their ends: the largest of all islands
    std::size_t islands = 0;   ///< islands that were connected
};

/// Connects domains that `fit` leaves apart. Domains that `fit` connects form an island; their clocks stay fixed
/// relative to each other. Matches that do not end together are fitted like any others, island by island: if ranks wait
/// for each other, the middle of their ends is the same instant. An island accepts this only if in most of its matches
/// no member ends before another has started, since kernels that do not wait for each other do. The uncertainty is that
/// of the fit, plus one standard deviation of the ends, since their spread may be systematic: one rank may receive more
/// than others.
///
/// `domain_of_rank` as for makeMatchTable(), `window_of` by domain. O(n log n) in the members of matches.
[[nodiscard]] ClockBridge bridgeIslands(const std::vector<ClockMatch>& matches,
                                        const std::vector<std::uint32_t>& domain_of_rank,
                                        const std::vector<TimeSpan>& window_of, ClockFit& fit);

}  // namespace rankscope
