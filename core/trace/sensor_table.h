// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

/// The quantity that a sensor of a GPU measures: whether the GPU is throttled, and how far it is in use.
enum class Sensor : std::uint8_t {
    Clock,             ///< of its multiprocessors, in kHz
    Power,             ///< in mW
    Temperature,       ///< in thousandths of a degree Celsius
    PowerLimit,        ///< in mW: above it the GPU lowers its clock
    TemperatureLimit,  ///< in thousandths of a degree Celsius: the same for temperature
    Activity,          ///< multiprocessors with work, in thousandths of a percent of all
    Bandwidth,         ///< of its memory, in thousandths of a percent of its peak
};
inline constexpr std::size_t kSensors = 7;

/// The readings of GPU sensors (counter events, `"ph": "C"`), sorted by time. Struct of arrays.
struct SensorTable {
    std::vector<TimeNs> at_ns;  ///< on the file's clock
    std::vector<Sensor> sensor;
    std::vector<std::int16_t> device;  ///< -1: the file does not name the device
    std::vector<std::int64_t> value;   ///< in thousandths of the usual unit, see Sensor
    [[nodiscard]] std::size_t size() const { return at_ns.size(); }
    /// Calls `visit` with each column of `table`.
    template <class Table, class Visit>
    static void eachColumn(Table& table, const Visit& visit) {
        visit(table.at_ns);
        visit(table.sensor);
        visit(table.device);
        visit(table.value);
    }
    friend bool operator==(const SensorTable&, const SensorTable&) = default;
};

}  // namespace rankscope
