// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/nsight/gpu_metrics.h"

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/ingest/bounds.h"

namespace rankscope::nsight {
namespace {

constexpr std::string_view kMetricValues = "GPU_METRICS";
constexpr std::string_view kMetricNames = "TARGET_INFO_GPU_METRICS";
constexpr std::int64_t kThousandths = 1000;

/// The sensor of a metric by the start of its name: "SMs Active [Throughput %]".
std::optional<Sensor> sensorOfMetric(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, Sensor>, 6> kSensorsOf = {
        {{"SMs Active", Sensor::Activity},
         {"SM Active", Sensor::Activity},
         {"DRAM Read Bandwidth", Sensor::Bandwidth},
         {"DRAM Write Bandwidth", Sensor::Bandwidth},
         {"GPC Clock Frequency", Sensor::Clock},
         {"GR Clock Frequency", Sensor::Clock}}};
    for (const auto& [start, sensor] : kSensorsOf) {
        if (name.starts_with(start)) {
            return sensor;
        }
    }
    return std::nullopt;
}

/// A value in thousandths of the sensor's unit; nothing if a GPU cannot have it. Clocks are in MHz or, far above what
/// any GPU has, in Hz.
std::optional<std::int64_t> valueOf(Sensor sensor, std::int64_t value) {
    constexpr std::int64_t kMostMhz = 100'000;
    constexpr std::int64_t kHzInMhz = 1'000'000;
    constexpr std::int64_t kMostPercent = 110;
    if (value < 0) {
        return std::nullopt;
    }
    if (sensor == Sensor::Clock) {
        if (value <= kMostMhz) {
            return value * kThousandths;
        }
        return value / kHzInMhz <= kMostMhz ? std::optional(value / (kHzInMhz / kThousandths)) : std::nullopt;
    }
    return value <= kMostPercent ? std::optional(value * kThousandths) : std::nullopt;
}

/// The readings of one sensor of a GPU by time: metrics of one sensor are added up.
using Readings = std::map<TimeNs, std::int64_t>;
using ReadingsByGpu = std::map<std::pair<std::int64_t, Sensor>, Readings>;

/// Types of metrics have the number of their GPU in the lowest byte.
constexpr std::int64_t gpuOf(std::int64_t type) {
    return type & 0xff;
}

ReadingsByGpu readingsIn(const Export& from, const std::stop_token& stop) {
    constexpr std::uint64_t kLook = 4096;
    std::map<std::pair<std::int64_t, std::int64_t>, Sensor> wanted;
    Statement names = from.rows(kMetricNames, {"typeId", "metricId", "metricName"});
    while (names.next()) {
        if (const std::optional<Sensor> sensor = sensorOfMetric(names.text(3))) {
            wanted.emplace(std::pair(names.number(1), names.number(2)), *sensor);
        }
    }
    ReadingsByGpu readings;
    Statement rows = from.rows(kMetricValues, {"timestamp", "typeId", "metricId", "value"});
    for (std::uint64_t count = 0; !wanted.empty() && rows.next(); ++count) {
        if (count % kLook == 0 && stop.stop_requested()) {
            break;
        }
        const auto metric = wanted.find({rows.number(2), rows.number(3)});
        if (metric == wanted.end() || !isTime(rows.number(1))) {
            continue;
        }
        if (const std::optional<std::int64_t> value = valueOf(metric->second, rows.number(4))) {
            readings[{gpuOf(rows.number(2)), metric->second}][rows.number(1)] += *value;
        }
    }
    return readings;
}

/// By process: the number that CUDA gives each GPU there.
using NumbersOfGpus = std::map<std::int64_t, std::map<std::int64_t, std::int64_t>>;

NumbersOfGpus numbersOfGpus(const Export& from) {
    constexpr std::string_view kTable = "TARGET_INFO_CUDA_DEVICE";
    NumbersOfGpus numbers;
    if (from.has(kTable)) {
        Statement rows = from.rows(kTable, {"pid", "gpuId", "cudaId"});
        while (rows.next()) {
            numbers[rows.number(1)][rows.number(2)] = rows.number(3);
        }
    }
    return numbers;
}

/// The number of a GPU in a process; its own if the file says nothing of that process, and nothing if it lists others.
std::optional<std::int64_t> numberOf(std::int64_t gpu, std::int64_t pid, const NumbersOfGpus& numbers) {
    const auto process = numbers.find(pid);
    if (process == numbers.end()) {
        return gpu;
    }
    const auto known = process->second.find(gpu);
    return known == process->second.end() ? std::nullopt : std::optional(known->second);
}

}  // namespace

void addGpuMetrics(const Export& from, std::map<std::int64_t, Process>& processes, const std::stop_token& stop) {
    if (!from.has(kMetricValues, "value") || !from.has(kMetricNames, "metricName")) {
        return;
    }
    const ReadingsByGpu readings = readingsIn(from, stop);
    const NumbersOfGpus numbers = numbersOfGpus(from);
    for (auto& [id, process] : processes) {
        for (const auto& [of, by_time] : readings) {
            const std::optional<std::int64_t> device = numberOf(of.first, process.pid, numbers);
            if (!device || !process.devices.contains(*device) || *device > std::numeric_limits<std::int16_t>::max()) {
                continue;
            }
            const StringId number = process.part.strings.intern(std::to_string(*device));
            for (const auto& [at_ns, value] : by_time) {
                process.part.sensors.push_back(
                    {at_ns, {of.second, value}, static_cast<std::int16_t>(*device), number, 0});
            }
            process.part.health.events += by_time.size();
        }
    }
}

}  // namespace rankscope::nsight
