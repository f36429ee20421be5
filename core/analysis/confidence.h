// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace rankscope {

/// How reliable a derived result is: the price of a finding, the role of a process group.
enum class Confidence : std::uint8_t { Low, Medium, High };
/// As in the reports: "low", "medium" or "high".
[[nodiscard]] std::string_view confidenceName(Confidence confidence);

}  // namespace rankscope
