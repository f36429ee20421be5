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

std::vector<bool> findOutliers(std::span<const DurationNs> durations) {
    std::vector<bool> outliers(durations.size(), false);
    if (durations.size() < 3) {
        return outliers;
    }
    const DurationNs median = lowerMedian(std::vector<DurationNs>(durations.begin(), durations.end()));
    std::vector<DurationNs> deviations;
    for (const DurationNs d : durations) {
        deviations.push_back(std::abs(d - median));
    }
    const auto spread =
        static_cast<DurationNs>(3 * kDeviationsPerMad * static_cast<double>(lowerMedian(std::move(deviations))));
    const DurationNs limit = median + std::max(median / 4, spread);
    for (std::size_t i = 0; i < durations.size(); ++i) {
        outliers[i] = durations[i] > limit;
    }
    return outliers;
}

}  // namespace rankscope
