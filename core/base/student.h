// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankscope {

/// How likely Student's t with `df` > 0 degrees of freedom, whole or not, is further from zero than `t`, on both sides.
/// Not a number where that cannot be computed.
[[nodiscard]] double studentTwoSided(double t, double df);

/// The t that Student's t exceeds on both sides together with this chance: 2.571 for 0.05 and 5 degrees of freedom.
[[nodiscard]] double studentCritical(double chance, double df);

}  // namespace rankscope
