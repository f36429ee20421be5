// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/compare/breakdown.h"
#include "core/compare/pairing/counterparts.h"

namespace rankscope {

/// A time in which a rank slowed the others down: Diagnosis::findings[finding].late[window].
struct LateLocation {
    RankPosition rank;
    std::uint32_t finding = 0;
    std::uint32_t window = 0;
};

/// What a rank did from one collective that all ranks wait for until it was ready for the next.
struct StragglerSpan {
    RankPosition rank;
    SliceRef collective;               ///< the rank's part in the collective that ends it; invalid if it has no slice
    TimeSpan span;                     ///< on the rank's file clock
    DurationNs segment_ns = 0;         ///< its segment time: the span without waits in other collectives
    DurationNs median_ns = 0;          ///< median segment time of the other ranks
    StretchParts parts;                ///< add up to the span
    std::optional<LateLocation> late;  ///< if the rank slowed the others down in that time
};

/// The same stretch in both runs.
struct StragglerComparison {
    std::optional<StragglerSpan> a;
    std::optional<StragglerSpan> b;
    std::string missing;  ///< why B has none, a sentence; else empty
};

/// What the same rank of B does before the counterpart of the collective that A's rank was last to reach.
/// `counterparts` must be those of these runs. Linear in the segments and in the work of two ranks.
[[nodiscard]] StragglerComparison compareStragglers(const AnalysedRun& a, const AnalysedRun& b,
                                                    Counterparts& counterparts, LateLocation late_of_a);

}  // namespace rankscope
