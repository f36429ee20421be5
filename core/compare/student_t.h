// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankscope {

/// The regularised incomplete beta function I_x(a, b), for a, b > 0 and x from 0 to 1, to about 1e-13. By its
/// continued fraction (DLMF 8.17.22).
[[nodiscard]] double incompleteBeta(double a, double b, double x);

/// How likely Student's t with `df` > 0 degrees of freedom, whole or not, is further from zero than `t`, on both sides.
[[nodiscard]] double studentTwoSided(double t, double df);

/// The t that Student's t with `df` degrees of freedom exceeds on both sides together with this chance, between 0 and
/// 1: 2.571 for 0.05 and 5.
[[nodiscard]] double studentCritical(double chance, double df);

}  // namespace rankscope
