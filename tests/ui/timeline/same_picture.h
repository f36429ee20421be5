// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <algorithm>
#include <cstdlib>

namespace rankscope::test {

/// The share of the pixels of two pictures of one size that differ by more than `near` of 255 in a channel.
[[nodiscard]] inline double shareThatDiffers(const QImage& a, const QImage& b, int near) {
    std::size_t different = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y);
            const QRgb q = b.pixel(x, y);
            const int most =
                std::max({std::abs(qRed(p) - qRed(q)), std::abs(qGreen(p) - qGreen(q)), std::abs(qBlue(p) - qBlue(q))});
            different += most > near ? 1U : 0U;
        }
    }
    return static_cast<double>(different) / (a.width() * a.height());
}

}  // namespace rankscope::test
