// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rankscope {

/// A number above 0 as people write it: "312", "4.5e9", "7B"; k, M, B or G, and T stand for thousands and so on, large
/// or small, and a space before them is passed over. Nothing of what is no such number, nor of one beyond 1e30.
[[nodiscard]] std::optional<double> parseNumber(std::string_view text);

/// How many: the same rounded to a whole number, from 1 to 1e18.
[[nodiscard]] std::optional<std::int64_t> parseCount(std::string_view text);

}  // namespace rankscope
