// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace rankscope {

/// How many times as much something is, for people: three digits at most, since what it is made of is hardly known to
/// more, and `decimals` at most where it is small. With two: "1.15", "14.7", "907", "1,230".
[[nodiscard]] std::string formatFactor(double factor, int decimals);

}  // namespace rankscope
