// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/base/time.h"

namespace rankscope {

/// A length of time as people write it, exactly: "1.5 ms", "-200us", "+3000 ns", "0.25 s", "12 µs", "0". The unit may
/// stand apart. Nothing where a unit is missing or unknown, where it is finer than a nanosecond, and from 100 years up.
[[nodiscard]] std::optional<DurationNs> parseDuration(std::string_view text);

}  // namespace rankscope
