// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

#include "core/base/format.h"
#include "core/base/time.h"

namespace rankscope::accuracy {

/// In percent; 0 of nothing.
[[nodiscard]] inline double percentOf(DurationNs part, DurationNs whole) {
    return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

/// "12 %" for a share of 0.12.
[[nodiscard]] inline std::string percent(double share) {
    return formatDecimal(100 * share, 0) + " %";
}

/// "12.3 %" for 12.3.
[[nodiscard]] inline std::string percentText(double in_percent) {
    return formatDecimal(in_percent, 1) + " %";
}

/// "3 of 4".
[[nodiscard]] inline std::string of(std::size_t part, std::size_t whole) {
    return std::to_string(part) + " of " + std::to_string(whole);
}

}  // namespace rankscope::accuracy
