// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format_factor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/base/format.h"

namespace rankscope {

std::string formatFactor(double factor, int decimals) {
    constexpr double kOneBefore = 9.995;    // from here on two digits before the point
    constexpr double kTwoBefore = 99.95;    // from here on three
    constexpr double kThreeBefore = 999.5;  // from here on more than three
    constexpr double kMostWhole = 9e18;
    const double size = std::abs(factor);
    if (!std::isfinite(factor)) {
        return "unknown";
    }
    if (size < kThreeBefore || size > kMostWhole) {
        return formatDecimal(factor, std::min(decimals, size < kOneBefore ? 2 : size < kTwoBefore ? 1 : 0));
    }
    const double step = std::pow(10.0, std::floor(std::log10(size)) - 2);
    return (factor < 0 ? "-" : "") + formatCount(static_cast<std::uint64_t>(std::round(size / step) * step));
}

}  // namespace rankscope
