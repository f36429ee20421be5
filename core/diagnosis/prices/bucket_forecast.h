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

/// The values of DDP's bucket_cap_mb that are simulated.
inline constexpr std::array<int, 7> kBucketCaps = {1, 5, 10, 25, 50, 100, 250};

/// A gradient bucket as sent: the median over the steps with as many buckets.
struct TypicalBucket {
    std::int64_t bytes = 0;
    DurationNs ready_ns = 0;     ///< when the last rank had all of it, from the first device work of the backward
    DurationNs transfer_ns = 0;  ///< from ready_ns, or from the end of the previous bucket if that is later
};

/// The run's step with another bucket_cap_mb.
struct BucketCap {
    int mb = 0;
    std::size_t buckets = 0;  ///< per step, the median
    DurationNs step_ns = 0;   ///< length of the priced step
    /// The largest likely error: steps vary, replays and the fit are not exact (less so away from the measured sizes),
    /// and the trace does not show everything. Nothing with fewer than three steps.
    std::optional<DurationNs> error_ns;
};

/// The step for other sizes of DDP's gradient buckets. See docs/definitions/buckets.md, "Bucket sizes".
struct BucketForecast {
    std::vector<TypicalBucket> today;  ///< in the order in which they are sent
    std::int64_t today_bytes = 0;      ///< median size of the full buckets: those of at least half the largest
    DurationNs step_ns = 0;            ///< the priced step today
    /// One per value of kBucketCaps. If empty, `reason` says why it cannot be determined.
    std::vector<BucketCap> caps;
    /// The best cap. Candidates are the shortest step and those up to 0.5 % longer, the precision of a replay. Of
    /// these, the one whose ratio to today_bytes is nearest to 1; of caps with the same buckets, the smallest. Nothing
    /// if the shortest step is not shorter than today's by more than that precision.
    std::optional<std::size_t> best;
    std::string reason;
};

}  // namespace rankscope
