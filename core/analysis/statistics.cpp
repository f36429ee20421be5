// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/statistics.h"

#include <algorithm>

#include "core/analysis/run_steps.h"

namespace rankscope {

Statistics statisticsOf(const std::vector<DurationNs>& values) {
    Statistics out;
    if (values.empty()) {
        return out;
    }
    out.count = values.size();
    out.median_ns = medianOf(values);
    const auto [min, max] = std::ranges::minmax(values);
    out.min_ns = min;
    out.max_ns = max;
    const auto count = static_cast<double>(values.size());
    for (const DurationNs value : values) {
        out.mean_ns += static_cast<double>(value) / count;
    }
    for (const DurationNs value : values) {
        const double distance = static_cast<double>(value) - out.mean_ns;
        out.variance_ns2 += distance * distance / count;
    }
    return out;
}

}  // namespace rankscope
