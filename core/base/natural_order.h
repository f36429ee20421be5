// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace rankscope {

/// Whether `a` is before `b` in natural order: runs of digits compare by value, so rank2 is before rank10.
[[nodiscard]] bool naturalLess(std::string_view a, std::string_view b);

}  // namespace rankscope
