// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/facts.h"
#include "core/base/result.h"
#include "core/clock/run_clock.h"
#include "core/trace/run.h"

namespace rankscope {

/// A part of a run: a span of time on some tracks.
struct Area {
    TimeSpan span;  ///< on the run's clock
    struct Location {
        RankPosition rank;
        TrackId track;
        friend auto operator<=>(const Location&, const Location&) = default;
    };
    std::vector<Location> tracks;  ///< sorted, each once
};

/// What one rank did during an area, on any of its tracks.
struct AreaRank {
    RankPosition rank;
    std::optional<Partition> partition;  ///< the partition of the area's time; nothing without device work. Exposed
                                         ///< communication is not split.
    double busy = 0.0;                   ///< the share of the time in which the device works, 0 to 1
};

/// The sums of an area.
struct AreaSums {
    DurationNs length_ns = 0;
    std::uint64_t slices = 0;                     ///< slices that touch the area
    std::vector<AreaRank> ranks;                  ///< the ranks of the area's tracks, by index
    std::int64_t copied_bytes = 0;                ///< full bytes of the copies and memsets that touch it
    std::vector<CollectivePosition> collectives;  ///< collectives with a kernel in it
    std::int64_t collective_bytes = 0;            ///< their bytes, as far as known
};

/// Sums an area. Linear in the slices of the tracks up to the end of the area. Stops soon after `stop` is requested.
[[nodiscard]] Result<AreaSums> sumArea(const Run& run, const RunFacts& facts, const RunClock& clock, const Area& area,
                                       const std::stop_token& stop);

}  // namespace rankscope
