// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/counters/counter_series.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <utility>

#include "core/analysis/counters/counter_changes.h"
#include "core/base/format.h"

namespace rankscope {

std::string_view counterTitle(CounterKind kind) {
    switch (kind) {
        case CounterKind::KernelsInFlight: return "Kernels in flight";
        case CounterKind::LaunchQueue: return "Launch queue";
        case CounterKind::CollectiveRate: return "Collectives";
        case CounterKind::CopyRate: return "CPU-GPU copies";
        case CounterKind::MemoryAllocated: return "Memory allocated";
        case CounterKind::MemoryReserved: return "Memory reserved";
        case CounterKind::ExposedShare: return "Exposed share of a step";
        case CounterKind::HostThreads: return "Threads in calls";
        case CounterKind::DeviceClock: return "GPU clock";
        case CounterKind::DevicePower: return "GPU power";
        case CounterKind::DeviceTemperature: return "GPU temperature";
        case CounterKind::DeviceActivity: return "SM active";
        case CounterKind::DeviceBandwidth: return "DRAM bandwidth";
    }
    return {};
}

CounterUnit counterUnit(CounterKind kind) {
    switch (kind) {
        case CounterKind::KernelsInFlight:
        case CounterKind::LaunchQueue:
        case CounterKind::HostThreads: return CounterUnit::Count;
        case CounterKind::CollectiveRate:
        case CounterKind::CopyRate: return CounterUnit::BytesPerSecond;
        case CounterKind::MemoryAllocated:
        case CounterKind::MemoryReserved: return CounterUnit::Bytes;
        case CounterKind::ExposedShare: return CounterUnit::Thousandths;
        case CounterKind::DeviceClock: return CounterUnit::Kilohertz;
        case CounterKind::DevicePower: return CounterUnit::Milliwatts;
        case CounterKind::DeviceTemperature: return CounterUnit::Millidegrees;
        case CounterKind::DeviceActivity:
        case CounterKind::DeviceBandwidth: return CounterUnit::ThousandthsOfPercent;
    }
    return CounterUnit::Count;
}

std::string formatCounter(CounterKind kind, std::uint64_t value) {
    switch (counterUnit(kind)) {
        case CounterUnit::Count: return formatCount(value);
        case CounterUnit::Bytes: return formatBytes(value);
        case CounterUnit::BytesPerSecond: return formatBandwidth(static_cast<double>(value));
        case CounterUnit::Thousandths: return formatPercent(static_cast<double>(value) / 1e3);
        case CounterUnit::Kilohertz: return formatCount((value + 500) / 1000) + " MHz";
        case CounterUnit::Milliwatts: return formatDecimal(static_cast<double>(value) / 1e3, 1) + " W";
        case CounterUnit::Millidegrees: return formatDecimal(static_cast<double>(value) / 1e3, 1) + " °C";
        case CounterUnit::ThousandthsOfPercent: return formatDecimal(static_cast<double>(value) / 1e3, 1) + " %";
    }
    return {};
}

std::uint64_t roundedUp(std::uint64_t value) {
    constexpr std::array<std::uint64_t, 3> kRound = {1, 2, 5};
    constexpr std::uint64_t kMostPower = 1'000'000'000'000'000'000;
    for (std::uint64_t power = 1;; power *= 10) {
        for (const std::uint64_t round : kRound) {
            if (round * power >= value) {
                return round * power;
            }
        }
        if (power == kMostPower) {
            return std::numeric_limits<std::uint64_t>::max();
        }
    }
}

std::uint64_t CounterSeries::valueAt(TimeNs instant_ns) const {
    const auto after = std::ranges::upper_bound(at_ns, instant_ns) - at_ns.begin();
    return after == 0 ? 0 : value[static_cast<std::size_t>(after) - 1];
}

std::vector<CounterSeries> countersOf(const RankTrace& trace, const RunFacts& facts, RankPosition rank) {
    std::vector<CounterSeries> all;
    const auto add = [&all](CounterKind kind, ChangesByDevice&& by_device) {
        for (auto& [device, changes] : by_device) {
            CounterSeries series = seriesOf(kind, device, std::move(changes));
            if (!series.at_ns.empty()) {
                all.push_back(std::move(series));
            }
        }
    };
    add(CounterKind::KernelsInFlight, kernelsInFlight(trace));
    add(CounterKind::LaunchQueue, launchQueue(trace));
    add(CounterKind::CollectiveRate, collectiveRate(facts, rank));
    add(CounterKind::CopyRate, copyRate(trace));
    add(CounterKind::ExposedShare, exposedShare(facts.ranks[rank]));
    add(CounterKind::HostThreads, hostThreads(trace, facts.ranks[rank].device));
    std::ranges::move(allocatorSeries(trace.memory, CounterKind::MemoryAllocated, trace.memory.total_allocated),
                      std::back_inserter(all));
    std::ranges::move(allocatorSeries(trace.memory, CounterKind::MemoryReserved, trace.memory.total_reserved),
                      std::back_inserter(all));
    std::ranges::move(sensorSeries(trace.sensors, facts.ranks[rank].device), std::back_inserter(all));
    return all;
}

}  // namespace rankscope
