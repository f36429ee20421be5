// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/efficiency/number_type.h"
#include "core/base/result.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// Operations of products, and the bytes that they move in a type.
struct WorkAtRoof {
    double flops = 0;
    double bytes = 0;  ///< 0 if unknown
    NumberType type = NumberType::Float32;
};

/// The peak rates of a device, as stated by its vendor: for dense products, never for sparse ones.
struct DevicePeak {
    std::string device;                          ///< its usual name: "A100 SXM, 80 GB"
    ByNumberType<std::optional<double>> tflops;  ///< 1e12 operations per second; nothing if it has no such unit
    std::optional<double> memory_gb_per_s;       ///< 1e9 bytes per second, of the device's own memory
    ByNumberType<bool> tensor_cores;             ///< the figure is that of tensor or matrix cores
    std::string source;                          ///< where the figures come from
    bool by_user = false;                        ///< the user entered it

    /// The 16-bit type whose peak is usually quoted: bfloat16 before float16; nothing if neither is known.
    [[nodiscard]] std::optional<NumberType> sixteenBit() const;
    /// The least time of products if they were of the type `as`, in ns: their operations at the peak, or their bytes at
    /// the memory's bandwidth if both are known. Nothing if the peak of the type is unknown.
    [[nodiscard]] std::optional<double> roofNs(const WorkAtRoof& work, NumberType as) const;
};

/// The peaks of devices by their names. It is data (resources/device_peaks.json), each figure with its source.
class DevicePeaks {
  public:
    /// The built-in table.
    [[nodiscard]] static const DevicePeaks& builtIn();
    /// Reads a table in the same form; `path` is for error texts only.
    [[nodiscard]] static Result<DevicePeaks> fromJson(std::string_view json, const std::string& path);

    /// The peak of a device as a trace describes it: the first entry whose name is a word of the device's name, and
    /// whose multiprocessors and memory fit, if it has any. Nothing for an unknown device.
    [[nodiscard]] std::optional<DevicePeak> of(const DeviceProperties& device) const;
    /// The peak of a device by its usual name (DevicePeak::device), else by the name of its entry: of several with that
    /// name, the last, which has no further conditions. Upper and lower case are alike. Nothing for an unknown name.
    [[nodiscard]] std::optional<DevicePeak> named(std::string_view name) const;
    /// The names of all entries.
    [[nodiscard]] std::vector<std::string> names() const;

  private:
    struct Entry {
        std::string name;
        std::optional<std::int32_t> multiprocessors;
        std::optional<double> memory_above_gb;  ///< 1e9 bytes
        DevicePeak peak;
    };
    std::vector<Entry> entries_;
};

}  // namespace rankscope
