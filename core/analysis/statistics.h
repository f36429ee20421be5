// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

/// Some lengths of time in short.
struct Statistics {
    std::size_t count = 0;
    double mean_ns = 0;
    DurationNs median_ns = 0;  ///< as medianOf: of an even count the lower middle
    DurationNs min_ns = 0;
    DurationNs max_ns = 0;
    double variance_ns2 = 0;  ///< of these values themselves: the mean square distance from their mean
};

/// All zero of nothing.
[[nodiscard]] Statistics statisticsOf(const std::vector<DurationNs>& values);

}  // namespace rankscope
