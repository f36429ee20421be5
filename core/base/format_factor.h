// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace rankscope {

/// A factor for people: up to three digits, since its inputs are hardly known more precisely, and up to `decimals`
/// decimals. With two decimals: "1.15", "14.7", "907", "1,230".
[[nodiscard]] std::string formatFactor(double factor, int decimals);

}  // namespace rankscope
