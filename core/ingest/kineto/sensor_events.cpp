// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/kineto/sensor_events.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <string>

namespace rankscope {
namespace {

constexpr double kThousandths = 1000;

std::string lowered(std::string_view text) {
    std::string low(text);
    std::ranges::transform(low, low.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return low;
}

bool hasAny(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

/// The factor that converts a value to the sensor's unit: names may contain kW, mW, GHz, kHz or Hz.
double unitFactor(Sensor sensor, std::string_view names) {
    if (sensor == Sensor::Clock) {
        return hasAny(names, {"ghz"})   ? 1000
               : hasAny(names, {"mhz"}) ? 1
               : hasAny(names, {"khz"}) ? 0.001
               : hasAny(names, {"hz"})  ? 0.000001
                                        : 1;
    }
    const bool power = sensor == Sensor::Power || sensor == Sensor::PowerLimit;
    return power && hasAny(names, {"milliwatt", "(mw)"}) ? 0.001 : 1;
}

/// Whether a GPU can have this value, in the usual unit: W, °C, MHz or %. A sampled share may exceed 100 % a little.
bool isBelieved(Sensor sensor, double value) {
    constexpr std::array<double, kSensors> kMost = {100'000, 100'000, 500, 100'000, 500, 110, 110};
    return std::isfinite(value) && value >= 0 && value <= kMost.at(static_cast<std::size_t>(sensor));
}

/// The sensor of a share. Without a unit it may be a fraction or a percentage: then it is unknown.
std::optional<Sensor> shareOf(std::string_view names) {
    if (!hasAny(names, {"%", "percent"})) {
        return std::nullopt;
    }
    if (hasAny(names, {"sm active", "sm_active", "sms active"})) {
        return Sensor::Activity;
    }
    const bool of_memory = hasAny(names, {"dram", "hbm"}) && hasAny(names, {" bw", "_bw", "bandwidth", "active"});
    return of_memory ? std::optional(Sensor::Bandwidth) : std::nullopt;
}

/// The text from after `open` to the next quote.
std::string_view quoted(std::string_view text, std::size_t open) {
    const std::size_t close = text.find('"', open + 1);
    return close == std::string_view::npos ? std::string_view() : text.substr(open + 1, close - open - 1);
}

}  // namespace

std::optional<Sensor> sensorOf(std::string_view counter, std::string_view series) {
    const std::string names = lowered(counter) + " " + lowered(series);
    const bool limit = hasAny(names, {"limit", " cap", "_cap", "threshold", "slowdown"});
    if (hasAny(names, {"power"})) {
        return limit ? Sensor::PowerLimit : Sensor::Power;
    }
    if (const std::optional<Sensor> share = shareOf(names)) {
        return share;
    }
    if (hasAny(names, {"memory", "mem ", "mem_", "dram", "hbm", "mclk", "cpu"})) {
        return std::nullopt;  // other parts of the machine, which heat up and slow down independently
    }
    if (hasAny(names, {"temp"})) {
        return limit ? Sensor::TemperatureLimit : Sensor::Temperature;
    }
    if (!limit && hasAny(names, {"sm clock", "sm_clock", "smclk", "sclk", "gpu clock", "gpu_clock", "graphics clock",
                                 "clocks.sm", "clock (mhz)", "core freq", "gpu freq", "gfxclk"})) {
        return Sensor::Clock;
    }
    return std::nullopt;
}

std::vector<SensorValue> sensorValues(std::string_view counter, std::string_view series) {
    std::vector<SensorValue> values;
    std::size_t at = series.find('"');
    while (at != std::string_view::npos) {
        const std::string_view key = quoted(series, at);
        const std::size_t colon = series.find(':', std::min(series.size(), at + key.size() + 1));
        if (colon == std::string_view::npos) {
            break;
        }
        const std::size_t from = std::min(series.find_first_not_of(" \t\r\n\"", colon + 1), series.size());
        double value = 0;
        const auto [end, error] = std::from_chars(series.data() + from, series.data() + series.size(), value);
        const std::optional<Sensor> sensor = error == std::errc() ? sensorOf(counter, key) : std::nullopt;
        if (sensor) {
            value *= unitFactor(*sensor, lowered(counter) + " " + lowered(key));
            if (isBelieved(*sensor, value)) {
                values.push_back({*sensor, std::llround(value * kThousandths)});
            }
        }
        const std::size_t comma = series.find(',', from);
        at = comma == std::string_view::npos ? comma : series.find('"', comma);
    }
    return values;
}

std::int16_t deviceInName(std::string_view counter) {
    const std::string low = lowered(counter);
    for (const std::string_view word : {"gpu", "device"}) {
        for (std::size_t at = low.find(word); at != std::string::npos; at = low.find(word, at + 1)) {
            const std::size_t from = std::min(low.find_first_not_of(" _#:", at + word.size()), low.size());
            std::int16_t device = -1;
            std::from_chars(low.data() + from, low.data() + low.size(), device);
            if (device >= 0) {  // one that does not fit is none
                return device;
            }
        }
    }
    return -1;
}

}  // namespace rankscope
