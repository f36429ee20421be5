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

// Medians and what is made of them. Which value an even number of values has in its middle is a convention: here it is
// in the name of each function.

/// A median absolute deviation times this is an estimate of the standard deviation of values that are spread normally.
inline constexpr double kDeviationsPerMad = 1.4826;

/// The value at `index` of `values` in ascending order; `index` is below their number. Reorders them; linear.
template <class T>
[[nodiscard]] T nthSmallest(std::vector<T>& values, std::size_t index) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(index);
    std::ranges::nth_element(values, at);
    return *at;
}

/// The median; of an even number of values the lower of the two in the middle, so it is always a measured value. Zero
/// if there is none. Linear.
template <class T>
[[nodiscard]] T lowerMedian(std::vector<T> values) {
    return values.empty() ? T{} : nthSmallest(values, (values.size() - 1) / 2);
}

/// The median; of an even number of values the upper of the two in the middle. Zero of none. Linear.
template <class T>
[[nodiscard]] T upperMedian(std::vector<T> values) {
    return values.empty() ? T{} : nthSmallest(values, values.size() / 2);
}

/// The median; of an even number of values the mean of the two in the middle, of whole numbers rounded towards the
/// lower one. Zero of none. Linear.
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
        return lower + (upper - lower) / 2;  // no sum that overflows
    } else {
        return (lower + upper) / 2;
    }
}

/// The mean of whole numbers, rounded towards zero; zero of none. Their sum must not overflow: lengths of time of a
/// hundred years do not. Linear.
template <std::integral T>
[[nodiscard]] T meanOf(const std::vector<T>& values) {
    T sum{};
    for (const T value : values) {
        sum += value;
    }
    return values.empty() ? T{} : sum / static_cast<T>(values.size());
}

/// The standard deviation of `values` around zero as the median of their distances from it says it, which half of them
/// being wrong cannot spoil: kDeviationsPerMad x midMedian(|value|). Zero of none. Linear.
[[nodiscard]] double robustDeviation(std::vector<double> values);

/// Which of `durations` are outliers: longer than the median by more than a quarter of it and by more than three
/// robust standard deviations (1.4826 x the median absolute deviation). None if there are fewer than three.
[[nodiscard]] std::vector<bool> findOutliers(std::span<const DurationNs> durations);

/// A point of a series, for a line through many.
struct LinePoint {
    double x = 0;
    double y = 0;
};

/// Theil and Sen's estimate of the slope of a line through `points`: the mid-median of the slopes of all pairs whose x
/// ascends in the order given. Zero where there is none. Quadratic in time and memory: for some hundreds of points.
[[nodiscard]] double theilSenSlope(const std::vector<LinePoint>& points);

/// Some lengths of time in short.
struct Statistics {
    std::size_t count = 0;
    double mean_ns = 0;
    DurationNs median_ns = 0;  ///< the lowerMedian
    DurationNs min_ns = 0;
    DurationNs max_ns = 0;
    double variance_ns2 = 0;  ///< of these values themselves: the mean square distance from their mean
};

/// All zero of nothing. Linear.
[[nodiscard]] Statistics statisticsOf(const std::vector<DurationNs>& values);

}  // namespace rankscope
