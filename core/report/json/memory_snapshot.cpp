// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/analysis/memory/memory_advice.h"
#include "core/analysis/memory/snapshot_facts.h"
#include "core/analysis/memory/stack_part.h"
#include "core/report/json/parts.h"
#include "core/trace/memory_snapshot.h"

namespace rankscope::report {
namespace {

/// More are in the CSV report.
constexpr std::size_t kStacks = 200;

Json stacksJson(const MemorySnapshot& snapshot, const std::vector<StackMemory>& stacks) {
    Json out = Json::array();
    for (std::size_t s = 0; s < std::min(kStacks, stacks.size()); ++s) {
        out.push_back({{"bytes", stacks[s].bytes},
                       {"blocks", stacks[s].blocks},
                       {"largest_bytes", stacks[s].largest},
                       {"part", memoryPartName(stacks[s].part)},
                       {"title", textOrNull(stackTitle(snapshot, stacks[s].stack))},
                       {"frames", frameTexts(snapshot, stacks[s].stack)}});
    }
    return out;
}

Json peakJson(const MemorySnapshot& snapshot, const DeviceSnapshot& device) {
    if (!device.peak) {
        return nullptr;
    }
    return {{"active_bytes", device.peak->active},
            {"before_the_end_us", orNull(device.peak->before_us)},
            {"parts", memoryPartsJson(device.peak->parts)},
            {"stacks", stacksJson(snapshot, device.peak->stacks)}};
}

Json historyJson(const DeviceSnapshot& device) {
    if (!device.peak) {
        return nullptr;
    }
    const HistoryCounts& history = device.history;
    return {{"allocations", history.allocs},
            {"releases", history.frees},
            {"segments_taken", history.segment_allocs},
            {"segments_given_back", history.segment_frees},
            {"out_of_memory", history.out_of_memory},
            {"largest_failed_bytes", history.out_of_memory > 0 ? Json(history.largest_failed) : Json(nullptr)}};
}

Json deviceJson(const MemorySnapshot& snapshot, const DeviceSnapshot& device) {
    Json pools = Json::array();
    for (const PoolMemory& pool : device.pools) {
        pools.push_back({{"name", textOrNull(pool.name)},
                         {"segments", pool.segments},
                         {"reserved_bytes", pool.total},
                         {"allocated_bytes", pool.allocated},
                         {"inactive_bytes", pool.inactive}});
    }
    return {{"device", device.device},
            {"reserved_bytes", device.reserved},
            {"allocated_bytes", device.allocated},
            {"requested_bytes", device.requested},
            {"pending_bytes", device.pending},
            {"split_bytes", device.split},
            {"free_segment_bytes", device.free_segments},
            {"unlisted_bytes", device.unlisted},
            {"largest_free_bytes", device.largest_free},
            {"fragmentation", device.fragmentation()},
            {"segments", device.segment_count},
            {"expandable_segments", device.expandable},
            {"private_pool_segments", device.private_pools},
            {"blocks", device.block_count},
            {"pools", std::move(pools)},
            {"parts", memoryPartsJson(device.parts)},
            {"stacks", stacksJson(snapshot, device.stacks)},
            {"peak", peakJson(snapshot, device)},
            {"history", historyJson(device)}};
}

}  // namespace

Json memoryPartsJson(const MemoryParts& parts) {
    Json out = Json::object();
    for (std::size_t p = 0; p < kMemoryParts; ++p) {
        out[std::string(memoryPartName(static_cast<MemoryPart>(p)))] = parts.bytes[p];
    }
    return out;
}

Json snapshotJson(const ReportedSnapshot& reported) {
    Json settings = Json::object();
    for (const auto& [key, value] : reported.snapshot->settings) {
        settings[key] = value;
    }
    Json devices = Json::array();
    for (const DeviceSnapshot& device : reported.facts->devices) {
        devices.push_back(deviceJson(*reported.snapshot, device));
    }
    return {{"path", reported.snapshot->path},
            {"has_stacks", reported.facts->has_stacks},
            {"has_history", reported.facts->has_history},
            {"settings", std::move(settings)},
            {"devices", std::move(devices)},
            {"remedies", snapshotAdvice(*reported.facts)}};
}

}  // namespace rankscope::report
