// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace rankscope {

/// Whether `a` is before `b` as people sort names: runs of digits by their value, so rank2 before rank10.
[[nodiscard]] bool naturalLess(std::string_view a, std::string_view b);

}  // namespace rankscope
