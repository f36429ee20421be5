// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <algorithm>
#include <cmath>

namespace rankscope::test {

/// A component of sRGB, from 0 to 1, as linear light.
[[nodiscard]] inline double linear(double component) {
    return component <= 0.04045 ? component / 12.92 : std::pow((component + 0.055) / 1.055, 2.4);
}

/// The contrast of two colours as WCAG 2.1 measures it, from 1 to 21.
[[nodiscard]] inline double contrast(const QColor& a, const QColor& b) {
    const auto luminance = [](const QColor& of) {
        return 0.2126 * linear(of.redF()) + 0.7152 * linear(of.greenF()) + 0.0722 * linear(of.blueF()) + 0.05;
    };
    const auto [darker, lighter] = std::minmax({luminance(a), luminance(b)});
    return lighter / darker;
}

}  // namespace rankscope::test
