// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>

#include "core/base/time.h"

// Values that the tables of all reports work out of sums.
namespace rankscope::report {

/// A part's share of a whole, 0 to 1; none of a whole that is nothing.
[[nodiscard]] inline std::optional<double> shareOf(DurationNs part_ns, DurationNs whole_ns) {
    return whole_ns > 0 ? std::optional(static_cast<double>(part_ns) / static_cast<double>(whole_ns)) : std::nullopt;
}

/// What a step takes of a sum over `steps` of them, on average; none where no step is complete and steady.
[[nodiscard]] inline std::optional<DurationNs> meanOfAStep(DurationNs sum_ns, std::size_t steps) {
    return steps > 0 ? std::optional(sum_ns / static_cast<DurationNs>(steps)) : std::nullopt;
}

}  // namespace rankscope::report
