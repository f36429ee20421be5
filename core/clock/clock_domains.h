// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/clock/fit_clocks.h"
#include "core/trace/run.h"

namespace rankscope {

/// Ranks that run on one clock, as far as the traces name their hosts.
struct ClockDomain {
    std::string host;                 ///< empty if unknown: such a rank is a domain of its own
    std::vector<RankPosition> ranks;  ///< ascending
};

/// The clock domains of a run, by their lowest rank.
[[nodiscard]] std::vector<ClockDomain> hostDomains(const Run& run);

/// The domain of each rank.
[[nodiscard]] std::vector<std::uint32_t> domainOfRank(const std::vector<ClockDomain>& domains, std::size_t ranks);

/// The largest difference between a clock and its reference at the ends of `window` (file time), as an absolute value.
[[nodiscard]] DurationNs furthestOff(const RankClock& clock, const TimeSpan& window);

/// Which domains' fitted clocks never differ from their reference by more than the uncertainty of the fit, in all of
/// their windows. For n domains at once, a clock may be off by sqrt(2 ln 20n) standard deviations, so that all pass in
/// 95 of 100 cases if they are one clock (the union bound).
[[nodiscard]] std::vector<bool> likeReference(const ClockFit& fit, const std::vector<TimeSpan>& window_of);

/// What the matches among some ranks show about whether they share one clock.
struct OneClockCheck {
    std::size_t matches = 0;  ///< 0: they show nothing
    bool consistent = false;  ///< each offset is within the uncertainty of the fit
    bool impossible = false;  ///< if they shared a clock, a collective would end before its last member has started
    RankPosition furthest_rank;
    DurationNs furthest_ns = 0;     ///< the largest offset
    DurationNs uncertainty_ns = 0;  ///< the largest uncertainty
};

/// `ranks`: two or more.
[[nodiscard]] OneClockCheck checkOneClock(const Run& run, const std::vector<ClockMatch>& matches,
                                          const std::vector<RankPosition>& ranks);

}  // namespace rankscope
