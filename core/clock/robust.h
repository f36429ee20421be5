// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace rankscope {

/// The middle of `values`, of an even number the mean of the two in the middle; 0 for none. Reorders them.
[[nodiscard]] inline double medianOf(std::vector<double>& values) {
    if (values.empty()) {
        return 0;
    }
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return values.size() % 2 == 1 ? *middle : (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// The standard deviation of values around 0 as the median of their distances says it, which half of them being wrong
/// cannot spoil: 1.4826 x the median absolute value. Reorders them.
[[nodiscard]] inline double robustDeviation(std::vector<double>& values) {
    for (double& value : values) {
        value = std::abs(value);
    }
    return 1.4826 * medianOf(values);
}

}  // namespace rankscope
