// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device/memory_use.h"

#include <algorithm>
#include <map>

#include "core/trace/rank_trace.h"

namespace rankscope {
namespace {

void raise(MemoryPeak& peak, const MemoryTable& memory, std::size_t i) {
    const std::int64_t reserved = memory.total_reserved[i];
    const std::int64_t allocated = std::clamp<std::int64_t>(memory.total_allocated[i], 0, reserved);
    peak.allocated_bytes = std::max(peak.allocated_bytes, allocated);
    if (reserved > peak.reserved_bytes) {
        peak.reserved_bytes = reserved;
        peak.at_ns = memory.at_ns[i];
        peak.allocated_then = allocated;
    } else if (reserved == peak.reserved_bytes) {
        // Among events with the same reserved total, the one with most allocated shows the really unused memory.
        peak.allocated_then = std::max(peak.allocated_then, allocated);
    }
}

}  // namespace

std::vector<DeviceMemory> memoryUse(const RankTrace& rank, const std::vector<TimeSpan>& hosts) {
    std::map<std::int32_t, DeviceMemory> devices;
    const MemoryTable& memory = rank.memory;
    DeviceMemory* known = nullptr;  // device of the previous event: most ranks have only one
    for (std::size_t i = 0; i < memory.size(); ++i) {
        if (memory.device[i] < 0 || memory.total_reserved[i] <= 0) {
            continue;
        }
        if (known == nullptr || known->device != memory.device[i]) {
            known = &devices[memory.device[i]];
            known->device = memory.device[i];
            known->steps.resize(hosts.size());
        }
        DeviceMemory& device = *known;
        raise(device.peak, memory, i);
        const auto after = std::ranges::upper_bound(hosts, memory.at_ns[i], {}, &TimeSpan::start_ns);
        if (after != hosts.begin() && (after - 1)->contains(memory.at_ns[i])) {
            std::optional<MemoryPeak>& step = device.steps[static_cast<std::size_t>(after - 1 - hosts.begin())];
            step = step.value_or(MemoryPeak());
            raise(*step, memory, i);
        }
    }
    std::vector<DeviceMemory> found;
    for (auto& [number, device] : devices) {
        const auto properties = std::ranges::find(rank.devices, number, &DeviceProperties::id);
        device.capacity_bytes = properties == rank.devices.end() ? 0 : properties->total_memory_bytes;
        found.push_back(std::move(device));
    }
    return found;
}

std::vector<MemorySample> memorySeries(const MemoryTable& memory, std::int32_t device, std::size_t count) {
    std::vector<MemorySample> all;
    for (std::size_t i = 0; i < memory.size(); ++i) {
        if (memory.device[i] == device && memory.total_allocated[i] >= 0 && memory.total_reserved[i] >= 0) {
            all.push_back({memory.at_ns[i], memory.total_allocated[i], memory.total_reserved[i]});
        }
    }
    if (all.size() <= count) {
        return all;
    }
    const TimeNs first = all.front().at_ns;
    const auto length = static_cast<double>(std::max<DurationNs>(1, all.back().at_ns - first + 1));
    std::vector<MemorySample> kept;
    std::size_t last_stretch = count;
    for (const MemorySample& sample : all) {
        const double share = static_cast<double>(sample.at_ns - first) / length;
        const auto stretch = std::min(count - 1, static_cast<std::size_t>(share * static_cast<double>(count)));
        if (stretch != last_stretch) {
            kept.push_back(sample);
            last_stretch = stretch;
        } else if (sample.allocated_bytes > kept.back().allocated_bytes) {
            kept.back() = sample;
        }
    }
    return kept;
}

}  // namespace rankscope
