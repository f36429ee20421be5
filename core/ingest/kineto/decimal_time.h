// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/time.h"

namespace rankscope {

/// A time read from decimal microseconds, exact to 1e-9 ns: whole nanoseconds, rounded towards minus infinity, and the
/// rest in billionths of a nanosecond. It never goes through a double, whose step at epoch microseconds is 250 ns.
struct DecimalTime {
    TimeNs ns = 0;
    std::uint32_t rest = 0;  ///< 0 to 999,999,999

    /// Whole nanoseconds of the exact sum: floor(a + b).
    [[nodiscard]] static std::optional<TimeNs> floorOfSum(const DecimalTime& a, const DecimalTime& b);
};

/// Reads a JSON number of microseconds ("1623142623460111", "1106964728033.929", "1.5e3"), with or without quotes.
/// Nothing if it is not a number or its nanoseconds do not fit 64 bits.
[[nodiscard]] std::optional<DecimalTime> parseMicroseconds(std::string_view token);

/// Reads a whole JSON number that fits 64 bits, with or without quotes.
[[nodiscard]] std::optional<std::int64_t> parseInteger(std::string_view token);

}  // namespace rankscope
