// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

// Medians and statistics based on them. For an even number of values there are several conventions for the median: each
// function has its own in its name.

/// A median absolute deviation times this estimates the standard deviation of normally distributed values.
inline constexpr double kDeviationsPerMad = 1.4826;

/// The value at `index` of `values` in ascending order; `index` must be below the number of values. Reorders them;
/// linear.
template <class T>
[[nodiscard]] T nthSmallest(std::vector<T>& values, std::size_t index) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(index);
    std::ranges::nth_element(values, at);
    return *at;
}

/// The median; for an even number of values the lower of the two in the middle, so it is always a measured value. 0 if
/// empty. Linear.
template <class T>
[[nodiscard]] T lowerMedian(std::vector<T> values) {
    return values.empty() ? T{} : nthSmallest(values, (values.size() - 1) / 2);
}

/// The median; for an even number of values the upper of the two in the middle. 0 if empty. Linear.
template <class T>
[[nodiscard]] T upperMedian(std::vector<T> values) {
    return values.empty() ? T{} : nthSmallest(values, values.size() / 2);
}

/// The median; for an even number of values the mean of the two in the middle, for integers rounded to the lower one. 0
/// if empty. Linear.
template <class T>
[[nodiscard]] T midMedian(std::vector<T> values) {
    if (values.empty()) {
        return T{};
    }
    const std::size_t half = values.size() / 2;
    const T upper = nthSmallest(values, half);
    if (values.size() % 2 == 1) {
        return upper;
    }
    const T lower = *std::max_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(half));
    if constexpr (std::integral<T>) {
        return lower + (upper - lower) / 2;  // avoids the overflow of a sum
    } else {
        return (lower + upper) / 2;
    }
}

/// The mean of integers, rounded towards zero; 0 if empty. Their sum must not overflow: a hundred years in nanoseconds
/// do not. Linear.
template <std::integral T>
[[nodiscard]] T meanOf(const std::vector<T>& values) {
    T sum{};
    for (const T value : values) {
        sum += value;
    }
    return values.empty() ? T{} : sum / static_cast<T>(values.size());
}

/// A robust standard deviation of `values` around zero, which tolerates up to half of them being wrong:
/// kDeviationsPerMad x midMedian(|value|). 0 if empty. Linear.
[[nodiscard]] double robustDeviation(std::vector<double> values);

/// Which of `durations` are outliers: longer than the median by more than a quarter of it and by more than three
/// robust standard deviations (1.4826 x the median absolute deviation). None if there are fewer than three.
[[nodiscard]] std::vector<bool> findOutliers(std::span<const DurationNs> durations);

/// A point for a line fit.
struct LinePoint {
    double x = 0;
    double y = 0;
};

/// Theil and Sen's estimate of the slope of a line through `points`: the mid-median of the slopes of all pairs with
/// ascending x in the given order. 0 if there is none. Quadratic in time and memory: for up to some hundreds of points.
[[nodiscard]] double theilSenSlope(const std::vector<LinePoint>& points);

/// Summary statistics of some lengths of time.
struct Statistics {
    std::size_t count = 0;
    double mean_ns = 0;
    DurationNs median_ns = 0;  ///< the lowerMedian
    DurationNs min_ns = 0;
    DurationNs max_ns = 0;
    double variance_ns2 = 0;  ///< variance of these values, not an estimate: the mean square distance from their mean
};

/// All zero if empty. Linear.
[[nodiscard]] Statistics statisticsOf(const std::vector<DurationNs>& values);

}  // namespace rankscope
