// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

// Who holds the others up (design 4.7). Wall time cannot tell, because collectives make all ranks equally slow: what
// tells is a rank's segment time, from the end of one blocking collective until it is ready for the next.

/// The time between two blocking collectives, which all ranks go through by themselves. A collective blocks if on at
/// least half of its members later work, or the host, stood still until its end: a gradient bucket that is reduced
/// under the backward is none.
struct StragglerSegment {
    CollectivePosition collective;  ///< the blocking one that ends it
    RunStepPosition step;           ///< that launched it
    std::vector<TimeSpan> window;   ///< by rank, on its file clock: from the end of the one before to being ready
    /// By rank: the window, less the time in which the rank stood still in other collectives (of some ranks only, or
    /// rooted ones).
    std::vector<DurationNs> segment_ns;
};

/// What one rank needed for one step by itself.
struct SegmentTime {
    RunStepPosition step;
    DurationNs segment_ns = 0;  ///< sum of its segments
    DurationNs late_ns = 0;     ///< how much later than the first of all ranks it was ready, summed over the segments
};

/// The simple measures in common use, of one rank over the steady-state steps.
struct RankLateness {
    RankPosition rank;
    std::vector<SegmentTime> steps;  ///< all that it has segments in, outliers included
    DurationNs segment_ns = 0;       ///< median segment time of a step
    std::size_t last_steps = 0;      ///< in how many steady-state steps it had the longest segment time
    double over_mean = 0.0;          ///< its mean segment time over that of all ranks; 1.1 is the usual alarm
    std::optional<double>
        z_score;               ///< of its mean segment time among those of all ranks; nothing where they are all equal
    DurationNs saving_ns = 0;  ///< at most: the median step's if it alone took the median of the others
    double throughput_lost = 0.0;  ///< of the run, because of it: saving over step time
};

/// Empty where ranks have no two blocking collectives in common.
struct StragglerFacts {
    std::vector<StragglerSegment> segments;  ///< by step; the first of a window is not known
    std::vector<RankLateness> ranks;         ///< as Run::ranks

    /// The segments of one step.
    [[nodiscard]] std::span<const StragglerSegment> segmentsOf(RunStepPosition step) const {
        const auto found = std::ranges::equal_range(segments, step, {}, &StragglerSegment::step);
        return {found.begin(), found.end()};
    }
};

}  // namespace rankscope
