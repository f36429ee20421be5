// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace rankscope::bench {

/// Bytes of this process that are in memory now (Linux: VmRSS).
[[nodiscard]] std::uint64_t residentBytes();
/// The most that were since resetPeak() (Linux: VmHWM).
[[nodiscard]] std::uint64_t peakBytes();
/// Starts the peak anew, and gives freed memory back first.
void resetPeak();

}  // namespace rankscope::bench
