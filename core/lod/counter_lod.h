// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/time.h"
#include "core/lod/step_lod.h"

namespace rankscope {

/// Level-of-detail index of a number that changes over time: value[i] from at_ns[i] on, and 0 before the first. Each
/// level has the smallest and the largest value of buckets of 2^k ns, on the grid of TrackLod. Up to 8 bytes per change
/// of a long series, and nothing for a short one.
class CounterLod {
  public:
    CounterLod() = default;
    /// Indexes a series with ascending times. O(changes).
    CounterLod(std::span<const TimeNs> at_ns, std::span<const std::uint64_t> value);

    /// Consecutive buckets, the first from `start_ns` on.
    struct Buckets {
        TimeNs start_ns = 0;
        DurationNs step_ns = 1;
        std::span<const ValueRange> ranges;
    };
    /// The buckets that touch `window`, of the longest ones no longer than `step_ns`; none is after the last change.
    /// Nothing if all are longer: then a step has few changes, and the caller uses these.
    [[nodiscard]] std::optional<Buckets> query(const TimeSpan& window, DurationNs step_ns) const;

  private:
    struct Level {
        unsigned log2_step = 0;
        std::int64_t first = 0;  // number of the first bucket on the grid
        std::vector<ValueRange> ranges;
    };
    static Level coarser(const Level& finer);

    std::vector<Level> levels_;  // the finest first, each with twice the step of the previous one
};

}  // namespace rankscope
