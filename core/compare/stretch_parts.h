// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/facts.h"

namespace rankscope {

/// What the device of a rank did in a stretch of time.
struct StretchParts {
    DurationNs compute_ns = 0;        ///< |K| in the stretch
    DurationNs communication_ns = 0;  ///< |C - K|
    DurationNs copy_ns = 0;           ///< |M - K - C|
    DurationNs idle_ns = 0;           ///< the rest; the four add up to the stretch
    CauseTimes idle_causes;           ///< adds up to idle_ns, as far as the stretch lies in steps
};

/// `span` is on the rank's file clock. Linear in the device's work and gaps.
[[nodiscard]] StretchParts stretchParts(const RankFacts& facts, const TimeSpan& span);

}  // namespace rankscope
