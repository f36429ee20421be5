// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <random>

namespace rankscope::accuracy {

// Chance that is the same with every standard library: it has no distributions of one.

/// 0 to 1, without 1.
[[nodiscard]] inline double uniform(std::mt19937_64& chance) {
    return static_cast<double>(chance() >> 11U) * 0x1.0p-53;
}

/// Standard normal from twelve uniform draws.
[[nodiscard]] inline double normal(std::mt19937_64& chance) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) {
        sum += uniform(chance);
    }
    return sum;
}

/// Exponential with mean 1.
[[nodiscard]] inline double exponential(std::mt19937_64& chance) {
    return -std::log1p(-uniform(chance));
}

}  // namespace rankscope::accuracy
