// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/collectives/collectives.h"

namespace rankscope {

/// How far the line of a fit may be off, by the scatter of the single transfers around it: the band of 95 % around a
/// weighted least-squares line. It widens away from the measured sizes, and a line through two sizes has one too.
class FitBand {
  public:
    /// Of the transfers that `fit` was made of. Linear.
    FitBand(const TransferFit& fit, const std::vector<Collective>& collectives);

    /// Whether there are enough transfers to know it: three, of two sizes.
    [[nodiscard]] bool told() const { return told_; }
    /// By how much TransferFit::at may be off for a message of this size, at least 0; 0 where it is not known.
    [[nodiscard]] DurationNs at(std::int64_t bytes) const;

  private:
    bool told_ = false;
    // The variance at b bytes is a + b (c + d b), in ns^2.
    double fixed_ = 0;
    double linear_ = 0;
    double square_ = 0;
    double times_ = 0;  // the standard error that the band reaches to
};

}  // namespace rankscope
