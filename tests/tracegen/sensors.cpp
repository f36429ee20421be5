// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/sensors.h"

#include <algorithm>
#include <cmath>

namespace rankscope::tracegen {

std::vector<SensorSample> sensorSamples(const std::vector<TimeSpan>& steps, const std::vector<double>& slowdowns) {
    constexpr int kSamples = 4;
    constexpr double kClockMhz = 1'980;
    constexpr double kLimitW = 700;
    constexpr double kPowerW = 610;
    constexpr double kCoolC = 58;
    constexpr double kHotC = 88;
    std::vector<SensorSample> samples;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        const double slowdown = step < slowdowns.size() ? slowdowns[step] : 1;
        const bool slow = slowdown > 1;
        for (int i = 0; i < kSamples; ++i) {
            const TimeNs at_ns = steps[step].start_ns + steps[step].length() * i / kSamples;
            samples.push_back({at_ns, "SM Clock (MHz)", std::round(kClockMhz / slowdown)});
            samples.push_back({at_ns, "Power (W)", slow ? kLimitW - 2 + i : kPowerW + 5.0 * i});
            samples.push_back({at_ns, "Power Limit (W)", kLimitW});
            samples.push_back({at_ns, "Temperature (C)", slow ? kHotC : kCoolC});
        }
    }
    return samples;
}

}  // namespace rankscope::tracegen
