// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>

#include "core/analysis/facts.h"

namespace rankscope {

/// How much of the communication that computation could hide is hidden, in one step of a rank or summed over many.
struct OverlapEfficiency {
    std::size_t steps = 0;
    DurationNs step_ns = 0;
    DurationNs both_ns = 0;     ///< |K u C|: computation or communication runs
    DurationNs least_ns = 0;    ///< the longer of |K| and |C|: both_ns if everything that can be hidden is
    DurationNs most_ns = 0;     ///< |K| + |C|: both_ns if nothing is hidden
    DurationNs hidden_ns = 0;   ///< |C n K|
    DurationNs exposed_ns = 0;  ///< |C - K|

    /// 1 - (both - least) / (most - least): 0 if nothing is hidden, 1 if everything that can be hidden is.
    [[nodiscard]] double efficiency() const {
        return 1.0 - static_cast<double>(both_ns - least_ns) / static_cast<double>(most_ns - least_ns);
    }
    /// The step if everything that can be hidden were, with nothing else changed.
    [[nodiscard]] DurationNs bestStep() const { return step_ns - (both_ns - least_ns); }
    /// The step if nothing were hidden.
    [[nodiscard]] DurationNs worstStep() const { return step_ns + (most_ns - both_ns); }
    OverlapEfficiency& operator+=(const OverlapEfficiency& other);
};

/// For one step. Nothing if it has no computation or no communication, or if these are unknown.
[[nodiscard]] std::optional<OverlapEfficiency> overlapOf(const RankStep& step);
/// Summed over the complete, steady-state steps of a rank that have both; nothing if none has.
[[nodiscard]] std::optional<OverlapEfficiency> overlapOf(const RankFacts& rank);

}  // namespace rankscope
