// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <optional>

#include "core/analysis/gaps/host_threads.h"
#include "core/analysis/memory/memory_advice.h"
#include "core/base/format.h"
#include "core/diagnosis/evidence/evidence.h"
#include "core/diagnosis/frame/rule.h"

namespace rankscope {
namespace memory_pressure {
namespace {

double shareHeld(const DeviceMemory& device) {
    return device.capacity_bytes == 0
               ? 0.0
               : static_cast<double>(device.peak.reserved_bytes) / static_cast<double>(device.capacity_bytes);
}

bool isNearCapacity(const MemoryPeak& peak, std::uint64_t capacity_bytes) {
    return static_cast<double>(peak.reserved_bytes) > kNearCapacity * static_cast<double>(capacity_bytes);
}

/// A rank's device that is nearly full.
struct FullDevice {
    RankPosition rank;
    const DeviceMemory* memory = nullptr;
};

std::vector<FullDevice> fullDevices(const RuleContext& context) {
    std::vector<FullDevice> full;
    for (RankPosition r{0}; r < context.facts.ranks.size(); ++r) {
        for (const DeviceMemory& device : context.facts.ranks[r].memory) {
            if (device.capacity_bytes > 0 && isNearCapacity(device.peak, device.capacity_bytes)) {
                full.push_back({r, &device});
            }
        }
    }
    std::ranges::stable_sort(full, std::greater<>(), [](const FullDevice& f) { return shareHeld(*f.memory); });
    return full;
}

/// What the host did at the peak: the innermost slice of the main thread, else of any thread.
SliceRef hostAt(const RankContext& work, TrackId main_thread, TimeNs at_ns) {
    std::vector<TrackId> tracks;
    if (main_thread.valid()) {
        tracks.push_back(main_thread);
    }
    for (const HostThread& thread : work.threads.all()) {
        if (thread.track.valid()) {
            tracks.push_back(thread.track);
        }
    }
    for (const TrackId track : tracks) {
        const SliceIndex slice = innermostAt(work.trace->tracks[track.value].slices, at_ns);
        if (slice != kNoSlice) {
            return {track, slice};
        }
    }
    return {};
}

/// Sorts, and removes duplicates.
template <class T>
void sortApart(std::vector<T>& values) {
    std::ranges::sort(values);
    const auto repeated = std::ranges::unique(values);
    values.erase(repeated.begin(), repeated.end());
}

/// Adds to the finding the steps in which a device is nearly full, and the ranks of these devices.
void addPlaces(const RuleContext& context, const std::vector<FullDevice>& full, Finding& finding) {
    for (const FullDevice& one : full) {
        finding.ranks.push_back(one.rank);
        for (std::size_t s = 0; s < one.memory->steps.size(); ++s) {
            const std::optional<MemoryPeak>& peak = one.memory->steps[s];
            if (peak && isNearCapacity(*peak, one.memory->capacity_bytes)) {
                finding.steps.push_back(context.facts.ranks[one.rank].steps[s].index);
            }
        }
        const RankFacts& rank = context.facts.ranks[one.rank];
        const SliceRef slice = hostAt(context.work[one.rank], rank.main_thread, one.memory->peak.at_ns);
        if (slice.valid() && !rank.steps.empty() && finding.evidence.size() < 8) {
            const auto at_step = std::ranges::find_if(
                rank.steps, [&](const RankStep& s) { return s.host.contains(one.memory->peak.at_ns); });
            finding.evidence.push_back({one.rank,
                                        at_step == rank.steps.end() ? rank.steps.front().index : at_step->index, slice,
                                        "runs when most memory is reserved: " +
                                            formatBytes(static_cast<std::uint64_t>(one.memory->peak.reserved_bytes))});
        }
    }
    sortApart(finding.steps);
    sortApart(finding.ranks);
    finding.paying_ranks = finding.ranks;
}

/// What most of the memory of a full device is for, if known.
MemoryPart dominantAtPeak(const RuleContext& context, const FullDevice& full) {
    const std::vector<std::vector<MemoryAtPeak>>& ranks = context.facts.memory.ranks;
    if (full.rank >= ranks.size()) {
        return MemoryPart::Unknown;
    }
    const auto at = std::ranges::find(ranks[full.rank], full.memory->device, &MemoryAtPeak::device);
    return at == ranks[full.rank].end() ? MemoryPart::Unknown : dominantPart(at->parts);
}

}  // namespace
}  // namespace memory_pressure

void findMemoryPressure(const RuleContext& context, Diagnosis& diagnosis) {
    using namespace memory_pressure;
    const std::vector<FullDevice> full = fullDevices(context);
    if (full.empty() || context.facts.ranks[full.front().rank].steps.empty()) {
        return;
    }
    Finding finding;
    finding.id = FindingId::MemoryPressure;
    finding.severity = Severity::Low;
    finding.confidence = Confidence::High;
    finding.why_confidence = {context.sentences.fill("confidence.counted", {})};
    finding.title = context.advice.title(finding.id);
    addPlaces(context, full, finding);
    const DeviceMemory& fullest = *full.front().memory;
    const auto bytes = [](std::int64_t count) { return formatBytes(static_cast<std::uint64_t>(count)); };
    const double unused = fullest.peak.unusedShare();
    finding.why = context.sentences.fill("memory-pressure.why", {{"reserved", bytes(fullest.peak.reserved_bytes)},
                                                                 {"capacity", formatBytes(fullest.capacity_bytes)},
                                                                 {"share", formatPercent(shareHeld(fullest))},
                                                                 {"allocated", bytes(fullest.peak.allocated_bytes)},
                                                                 {"unused", formatPercent(unused)}});
    std::vector<std::string> conditions;
    if (unused >= kMuchUnused) {
        conditions.emplace_back("unused");
    }
    if (const MemoryPart part = dominantAtPeak(context, full.front()); part != MemoryPart::Unknown) {
        conditions.emplace_back(memoryPartName(part));
    }
    const bool sharded = std::ranges::any_of(context.facts.parallelism.groups,
                                             [](const GroupRole& group) { return group.role == Role::Shard; });
    if (!sharded) {
        conditions.emplace_back("replicated");
    }
    finding.remedies = context.advice.remedies(finding.id, conditions);
    diagnosis.findings.push_back(std::move(finding));
}

}  // namespace rankscope
