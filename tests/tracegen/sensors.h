// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/base/time.h"

namespace rankscope::tracegen {

/// A value of a counter of a GPU, as a monitor records it at the same time as the profiler.
struct SensorSample {
    TimeNs at_ns = 0;  ///< true time
    std::string_view name;
    double value = 0;
};

/// Clock, power and temperature of a GPU whose kernels take `slowdowns` times as long in each of these steps: some
/// samples a step. While it is slowed down its power is at its limit, which is recorded too.
[[nodiscard]] std::vector<SensorSample> sensorSamples(const std::vector<TimeSpan>& steps,
                                                      const std::vector<double>& slowdowns);

}  // namespace rankscope::tracegen
