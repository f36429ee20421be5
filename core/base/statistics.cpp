// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/statistics.h"

#include <utility>

namespace rankscope {

double robustDeviation(std::vector<double> values) {
    for (double& value : values) {
        value = std::abs(value);
    }
    return kDeviationsPerMad * midMedian(std::move(values));
}

double theilSenSlope(const std::vector<LinePoint>& points) {
    std::vector<double> slopes;
    for (std::size_t a = 0; a < points.size(); ++a) {
        for (std::size_t b = a + 1; b < points.size(); ++b) {
            if (points[b].x > points[a].x) {
                slopes.push_back((points[b].y - points[a].y) / (points[b].x - points[a].x));
            }
        }
    }
    return midMedian(std::move(slopes));
}

Statistics statisticsOf(const std::vector<DurationNs>& values) {
    Statistics out;
    if (values.empty()) {
        return out;
    }
    out.count = values.size();
    out.median_ns = lowerMedian(values);
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
