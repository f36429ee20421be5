// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankscope {

/// Held from this share of the device's memory on, the next allocation may fail. The PyTorch profiler's TensorBoard
/// plugin raised its alarm there too.
inline constexpr double kNearCapacity = 0.9;
/// From this share of unused memory on at the fullest instant, the cache is worth a look: it is fragmented, or stands
/// for sizes that are not used any more.
inline constexpr double kMuchUnused = 0.25;

}  // namespace rankscope
