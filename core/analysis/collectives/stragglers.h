// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

// Who delays the others (design 4.7). Wall time cannot show it, because collectives make all ranks equally slow. A
// rank's segment time does: from the end of one blocking collective until it is ready for the next.

/// The time between two blocking collectives of the same ranks, which each of them goes through by itself. A collective
/// blocks if on at least half of its members later work, or the host, was idle until its end: a gradient bucket that
/// is reduced under the backward is none.
struct StragglerSegment {
    CollectivePosition collective;    ///< the blocking one that ends it
    RunStepPosition step;             ///< that launched it
    std::vector<RankPosition> ranks;  ///< its members, sorted: those that are held against one another
    std::vector<TimeSpan> window;     ///< as `ranks`, on its file clock: from the end of the one before to being ready
    /// As `ranks`: the window, less the time in which the rank was idle in other collectives (of other ranks, or
    /// rooted ones, or sends and receives).
    std::vector<DurationNs> segment_ns;

    /// Where a rank is in `ranks`; nothing if it goes through other segments. O(log n).
    [[nodiscard]] std::optional<std::size_t> placeOf(RankPosition rank) const {
        const auto at = std::ranges::lower_bound(ranks, rank);
        return at != ranks.end() && *at == rank ? std::optional(static_cast<std::size_t>(at - ranks.begin()))
                                                : std::nullopt;
    }
    /// Of a rank; empty if it goes through other segments.
    [[nodiscard]] TimeSpan windowOf(RankPosition rank) const {
        const std::optional<std::size_t> place = placeOf(rank);
        return place ? window[*place] : TimeSpan();
    }
};

/// What one rank needed for one step by itself.
struct SegmentTime {
    RunStepPosition step;
    DurationNs segment_ns = 0;  ///< sum of its segments
    DurationNs late_ns = 0;     ///< how much later than the first of its peers it was ready, summed over the segments
};

/// The simple measures in common use, of one rank over the steady-state steps.
struct RankLateness {
    RankPosition rank;
    std::vector<SegmentTime> steps;  ///< all that it has segments in, outliers included
    DurationNs segment_ns = 0;       ///< median segment time of a step
    std::size_t last_steps = 0;      ///< in how many steady-state steps it had the longest segment time
    double over_mean = 0.0;          ///< its mean segment time over that of all ranks; 1.1 is the usual alarm
    std::optional<double>
        z_score;                   ///< of its mean segment time among those of all ranks; nothing if they are all equal
    DurationNs saving_ns = 0;      ///< at most: the median step's if it alone took the median of the others
    double throughput_lost = 0.0;  ///< of the run, because of it: saving over step time
};

/// Empty if no ranks have two blocking collectives in common.
struct StragglerFacts {
    std::vector<StragglerSegment> segments;  ///< by step; the first of a window is not known
    std::vector<RankLateness> ranks;         ///< as Run::ranks
    /// Ranks that are held against one another, each list sorted: all, where all share blocking collectives; else those
    /// of the largest groups that do. A rank that shares none is in none.
    std::vector<std::vector<RankPosition>> peers;
    std::vector<std::uint32_t> peers_of;  ///< by rank: an index in `peers`, or kNoPeers
    static constexpr std::uint32_t kNoPeers = std::numeric_limits<std::uint32_t>::max();

    /// The segments of one step.
    [[nodiscard]] std::span<const StragglerSegment> segmentsOf(RunStepPosition step) const {
        const auto found = std::ranges::equal_range(segments, step, {}, &StragglerSegment::step);
        return {found.begin(), found.end()};
    }
};

}  // namespace rankscope
