// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

namespace rankscope::test {

// In nanoseconds, as what is worked out of the microseconds that files and builders take.
inline constexpr DurationNs kUs = 1'000;      ///< a microsecond
inline constexpr DurationNs kMs = 1'000'000;  ///< a millisecond

[[nodiscard]] inline double microseconds(DurationNs ns) {
    return static_cast<double>(ns) / 1e3;
}

}  // namespace rankscope::test
