// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/time.h"

namespace rankscope {

/// A number above 0 as people write it: "312", "4.5e9", "7B". The suffixes k, M, B or G, and T mean thousands and so
/// on, in upper or lower case, also after a space. Nothing for anything else, and above 1e30.
[[nodiscard]] std::optional<double> parseNumber(std::string_view text);

/// A count: the same rounded to a whole number, from 1 to 1e18.
[[nodiscard]] std::optional<std::int64_t> parseCount(std::string_view text);

/// A length of time as people write it, exactly: "1.5 ms", "-200us", "+3000 ns", "0.25 s", "12 µs", "0", with or
/// without a space before the unit. Nothing if the unit is missing or unknown, if it is finer than a nanosecond, and
/// from 100 years up.
[[nodiscard]] std::optional<DurationNs> parseDuration(std::string_view text);

}  // namespace rankscope
