// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankscope {

/// The two-sided probability that Student's t with `df` > 0 degrees of freedom (not necessarily an integer) is further
/// from zero than `t`. NaN if it cannot be computed.
[[nodiscard]] double studentTwoSided(double t, double df);

/// The t that Student's t exceeds, on both sides together, with probability `chance`: 2.571 for 0.05 and 5 degrees of
/// freedom.
[[nodiscard]] double studentCritical(double chance, double df);

}  // namespace rankscope
