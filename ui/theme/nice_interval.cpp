// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/nice_interval.h"

#include <algorithm>
#include <cmath>

namespace rankscope::ui {

double niceInterval(double length) {
    constexpr double kTicks = 6;
    const double least = std::max(length, 1e-9) / kTicks;
    const double decade = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1, 2, 5}) {
        if (decade * factor >= least) {
            return decade * factor;
        }
    }
    return decade * 10;
}

}  // namespace rankscope::ui
