// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

/// The values of DDP's bucket_cap_mb that are looked at.
inline constexpr std::array<int, 7> kBucketCaps = {1, 5, 10, 25, 50, 100, 250};

/// A gradient bucket as a step sends it, the median over the steps that send as many.
struct TypicalBucket {
    std::int64_t bytes = 0;
    DurationNs ready_ns = 0;     ///< when the last rank had all of it, from the first device work of the backward
    DurationNs transfer_ns = 0;  ///< from then on, or from the end of the bucket before it
};

/// The step of the run as it would be with a bucket_cap_mb.
struct BucketCap {
    int mb = 0;
    std::size_t buckets = 0;  ///< of a step, the median
    DurationNs step_ns = 0;   ///< of the step that prices are of
    /// How far off that may be: steps vary, replays and the fit are not exact (less so away from the sizes that were
    /// measured), and the trace does not show everything. Nothing if fewer than three steps show how they vary.
    std::optional<DurationNs> error_ns;
};

/// What the size of DDP's gradient buckets makes of the step. See docs/definitions/buckets.md, "Bucket sizes".
struct BucketForecast {
    std::vector<TypicalBucket> today;  ///< in the order in which they are sent
    std::int64_t today_bytes = 0;      ///< the median of the full buckets: those of half the largest or more
    DurationNs step_ns = 0;            ///< today's
    /// For kBucketCaps; empty where it cannot be determined, and `reason` says why.
    std::vector<BucketCap> caps;
    /// The best cap: of those whose step is the shortest, or longer by no more than half a per cent, which is as exact
    /// as a replay is, the one that is nearest to today_bytes by its ratio; of those that make the same buckets the
    /// smallest. Nothing if the shortest is not shorter than today's by more than that.
    std::optional<std::size_t> best;
    std::string reason;
};

}  // namespace rankscope
