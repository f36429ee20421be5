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

// Which ranks delay the others (design 4.7). Wall time cannot show it, because collectives make all ranks equally slow.
// A rank's segment time does: from the end of one blocking collective until it is ready for the next.

/// The time between two blocking collectives of the same ranks, in which no rank waits for others. A collective blocks
/// if later work, or the host, was idle until its end on at least half of its members: a gradient bucket that is
/// reduced during the backward does not block.
struct StragglerSegment {
    CollectivePosition collective;    ///< the blocking collective that ends it
    RunStepPosition step;             ///< the step that launched it
    std::vector<RankPosition> ranks;  ///< its members, sorted: the ranks that are compared
    std::vector<TimeSpan> window;     ///< as `ranks`, on each rank's file clock: from the end of the previous blocking
                                      ///< collective until the rank is ready
    /// As `ranks`: the window minus the time in which the rank was idle in other collectives (of other ranks, rooted
    /// ones, or sends and receives).
    std::vector<DurationNs> segment_ns;

    /// The index of a rank in `ranks`; nothing if it has other segments. O(log n).
    [[nodiscard]] std::optional<std::size_t> placeOf(RankPosition rank) const {
        const auto at = std::ranges::lower_bound(ranks, rank);
        return at != ranks.end() && *at == rank ? std::optional(static_cast<std::size_t>(at - ranks.begin()))
                                                : std::nullopt;
    }
    /// The window of a rank; empty if it has other segments.
    [[nodiscard]] TimeSpan windowOf(RankPosition rank) const {
        const std::optional<std::size_t> place = placeOf(rank);
        return place ? window[*place] : TimeSpan();
    }
};

/// A rank's own time in one step.
struct SegmentTime {
    RunStepPosition step;
    DurationNs segment_ns = 0;  ///< the sum over its segments
    DurationNs late_ns = 0;     ///< how much later than the first of its peers it was ready, summed over the segments
};

/// The simple measures in common use, of one rank over the steady-state steps.
struct RankLateness {
    RankPosition rank;
    std::vector<SegmentTime> steps;  ///< all steps in which it has segments, outliers included
    DurationNs segment_ns = 0;       ///< the median over its steps
    std::size_t last_steps = 0;      ///< the number of steady-state steps in which it had the longest segment time
    double over_mean = 0.0;          ///< its mean segment time over that of all ranks; 1.1 is the usual alarm threshold
    std::optional<double> z_score;   ///< z-score of its mean segment time among all ranks; nothing if all are equal
    DurationNs saving_ns = 0;        ///< upper bound: the median step's saving if only this rank took the median of the
                                     ///< others
    double throughput_lost = 0.0;    ///< share of the run's throughput lost to this rank: saving over step time
};

/// Empty if no ranks have two blocking collectives in common.
struct StragglerFacts {
    std::vector<StragglerSegment> segments;  ///< by step; the first segment of a window is not known
    std::vector<RankLateness> ranks;         ///< parallel to Run::ranks
    /// Ranks that are compared with each other, each list sorted: all ranks, if they all share blocking collectives;
    /// else the ranks of the largest groups that do. A rank that shares none is in no list.
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
