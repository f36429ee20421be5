// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>

namespace rankscope {

/// In 4 of 5 cases, an estimate is at most this many standard errors on the wrong side.
inline constexpr double kFourOfFive = 0.8416;
/// Never ask for more samples than this.
inline constexpr std::size_t kMostSamples = 1'000'000;

/// The smallest count from `least` on for which `shows` is true; about kMostSamples if it would be more. `shows` must
/// be monotonic. O(log n) calls for the result n.
template <typename Shows>
[[nodiscard]] std::size_t fewestThat(std::size_t least, const Shows& shows) {
    std::size_t enough = least;
    while (enough < kMostSamples && !shows(enough)) {
        enough *= 2;
    }
    std::size_t too_few = std::max(least, enough / 2);
    while (too_few + 1 < enough) {
        const std::size_t middle = (too_few + enough) / 2;
        (shows(middle) ? enough : too_few) = middle;
    }
    return enough;
}

}  // namespace rankscope
