// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/collectives/collectives.h"

namespace rankscope {

/// The error of a transfer fit, from the scatter of single transfers: the 95 % band around a weighted least-squares
/// line. It widens away from the measured sizes. A line through only two sizes has a band too.
class FitBand {
  public:
    /// From the transfers that `fit` is based on. Linear.
    FitBand(const TransferFit& fit, const std::vector<Collective>& collectives);

    /// Whether there are enough transfers: at least three, of at least two sizes.
    [[nodiscard]] bool told() const { return told_; }
    /// The largest likely error of TransferFit::at for this size, at least 0; 0 if unknown.
    [[nodiscard]] DurationNs at(std::int64_t bytes) const;

  private:
    bool told_ = false;
    // The variance at b bytes is a + b (c + d b), in ns^2.
    double fixed_ = 0;
    double linear_ = 0;
    double square_ = 0;
    double times_ = 0;  // width of the band in standard errors
};

}  // namespace rankscope
