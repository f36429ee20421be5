// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/trace/sensor_table.h"

namespace rankscope {

/// One value of a counter event that a sensor of a GPU measured.
struct SensorValue {
    Sensor sensor = Sensor::Clock;
    std::int64_t value = 0;  ///< in thousandths of the usual unit: kHz, mW, m°C
};

/// What a counter shows, by its name and that of its series: "Power (W)", "SM clock", "GPU 3 temperature". Nothing for
/// any other counter, clocks of memory included.
[[nodiscard]] std::optional<Sensor> sensorOf(std::string_view counter, std::string_view series);

/// The values of sensors in the args of a counter event: `series` is its object as written, `{"W": 312.5}`. Values that
/// no GPU has (below zero, over 100 kW, 500 °C or 100 GHz) are left out.
[[nodiscard]] std::vector<SensorValue> sensorValues(std::string_view counter, std::string_view series);

/// The number of the GPU in a counter's name: 3 of "GPU 3 power", "gpu3.temp" or "device 3"; -1 if it has none.
[[nodiscard]] std::int16_t deviceInName(std::string_view counter);

}  // namespace rankscope
