// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/prices/fit_band.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/collectives/transfer_statistics.h"
#include "core/base/student.h"

namespace rankscope {

FitBand::FitBand(const TransferFit& fit, const std::vector<Collective>& collectives) {
    constexpr double kChance = 0.05;
    double w = 0;
    double x = 0;
    double xx = 0;
    double squares = 0;  // sum of squared relative errors
    std::size_t count = 0;
    for (const Collective& collective : collectives) {
        if (!fit.isOf(collective) || !isFitted(collective)) {
            continue;
        }
        // The fit minimises the squares of relative errors.
        const auto ns = static_cast<double>(*collective.transfer_ns);
        const auto bytes = static_cast<double>(*collective.bytes);
        const double weight = 1 / (ns * ns);
        w += weight;
        x += weight * bytes;
        xx += weight * bytes * bytes;
        const double off_ns = ns - static_cast<double>(fit.at(*collective.bytes));
        squares += weight * off_ns * off_ns;
        ++count;
    }
    const double determinant = w * xx - x * x;
    constexpr std::size_t kOfLine = 2;  // parameters of a line
    if (count <= kOfLine || determinant <= 0) {
        return;
    }
    const auto free = static_cast<double>(count - kOfLine);
    const double scale = squares / free / determinant;
    fixed_ = scale * xx;
    linear_ = -2 * scale * x;
    square_ = scale * w;
    times_ = studentCritical(kChance, free);
    told_ = true;
}

DurationNs FitBand::at(std::int64_t bytes) const {
    const auto size = static_cast<double>(bytes);
    return std::llround(times_ * std::sqrt(std::max(0.0, fixed_ + size * (linear_ + size * square_))));
}

}  // namespace rankscope
