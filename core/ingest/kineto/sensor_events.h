// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/trace/sensor_table.h"

namespace rankscope {

/// One reading of a GPU sensor from a counter event.
struct SensorValue {
    Sensor sensor = Sensor::Clock;
    std::int64_t value = 0;  ///< in thousandths of the usual unit: MHz, W, °C, %
};

/// The sensor that a counter shows, by its name and the name of its series: "Power (W)", "SM clock", "GPU 3
/// temperature", "SM Active (%)", "DRAM BW (%)". Nothing for any other counter, including clocks of memory.
[[nodiscard]] std::optional<Sensor> sensorOf(std::string_view counter, std::string_view series);

/// The readings of sensors in the args of a counter event: `series` is its object as written, `{"W": 312.5}`.
/// Impossible values (below zero, over 100 kW, 500 °C, 100 GHz or 110 %) are left out.
[[nodiscard]] std::vector<SensorValue> sensorValues(std::string_view counter, std::string_view series);

/// The number of the GPU in a counter's name: 3 for "GPU 3 power", "gpu3.temp" or "device 3"; -1 if there is none.
[[nodiscard]] std::int16_t deviceInName(std::string_view counter);

}  // namespace rankscope
