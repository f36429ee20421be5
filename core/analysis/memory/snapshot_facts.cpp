// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory/snapshot_facts.h"

#include <algorithm>
#include <map>

#include "core/analysis/memory/snapshot_peak.h"

namespace rankscope {
namespace {

constexpr std::size_t kSnapshotBlocksKept = 100;

/// What one segment adds up to.
struct SegmentSums {
    std::int64_t allocated = 0;
    std::int64_t pending = 0;
    std::int64_t inactive = 0;
    std::int64_t listed = 0;
};

/// The facts of one device while its segments are gathered.
class DeviceSums {
  public:
    DeviceSums(const MemorySnapshot& snapshot, std::int32_t device) : snapshot_(snapshot) { out_.device = device; }

    void add(std::uint32_t place) {
        const SnapshotSegment& segment = snapshot_.segments[place];
        SegmentSums sums;
        for (std::uint32_t b = segment.first_block; b < segment.first_block + segment.block_count; ++b) {
            addBlock(b, sums);
        }
        const std::int64_t used = sums.allocated + sums.pending;
        // Blocks of a damaged snapshot that exceed their segment are not part of the reserved memory.
        const std::int64_t total = std::max(segment.total, sums.listed);
        out_.reserved += total;
        out_.unlisted += total - used - sums.inactive;
        const bool stuck = used > 0 && !segment.expandable;
        (stuck ? out_.split : out_.free_segments) += sums.inactive;
        split_[place] = stuck ? sums.inactive : 0;
        ++out_.segment_count;
        out_.expandable += segment.expandable ? 1U : 0U;
        out_.private_pools += segment.private_pool ? 1U : 0U;
        out_.segments.push_back(place);
        PoolMemory& pool = pools_[std::string(snapshot_.strings.view(segment.pool))];
        ++pool.segments;
        pool.total += total;
        pool.allocated += sums.allocated;
        pool.inactive += sums.inactive;
    }

    DeviceSnapshot finish() {
        for (auto& [name, pool] : pools_) {
            pool.name = name;
            out_.pools.push_back(pool);
        }
        std::ranges::stable_sort(out_.segments, std::greater<>(), [this](std::uint32_t s) { return split_[s]; });
        std::ranges::stable_sort(out_.largest, std::greater<>(),
                                 [this](std::uint32_t b) { return snapshot_.blocks[b].bytes; });
        out_.largest.resize(std::min(out_.largest.size(), kSnapshotBlocksKept));
        out_.stacks = stacks_.sorted(snapshot_);
        out_.parts = partsOf(out_.stacks);
        return std::move(out_);
    }

  private:
    void addBlock(std::uint32_t place, SegmentSums& sums) {
        const SnapshotBlock& block = snapshot_.blocks[place];
        sums.listed += block.bytes;
        switch (block.state) {
            case BlockState::Allocated:
                sums.allocated += block.bytes;
                out_.allocated += block.bytes;
                out_.requested += block.requested;
                ++out_.block_count;
                out_.largest.push_back(place);
                stacks_.add(block.stack, block.bytes);
                break;
            case BlockState::PendingFree:
                sums.pending += block.bytes;
                out_.pending += block.bytes;
                stacks_.add(block.stack, block.bytes);
                break;
            case BlockState::Inactive:
                sums.inactive += block.bytes;
                out_.largest_free = std::max(out_.largest_free, block.bytes);
                break;
            case BlockState::Unknown: break;
        }
    }

    const MemorySnapshot& snapshot_;
    DeviceSnapshot out_;
    StackSums stacks_;
    std::map<std::string, PoolMemory> pools_;
    std::map<std::uint32_t, std::int64_t> split_;  // by segment
};

HistoryCounts countHistory(const std::vector<AllocatorEvent>& events) {
    HistoryCounts counts;
    for (const AllocatorEvent& event : events) {
        switch (event.action) {
            case AllocatorAction::Alloc: ++counts.allocs; break;
            case AllocatorAction::FreeCompleted: ++counts.frees; break;
            case AllocatorAction::SegmentAlloc:
            case AllocatorAction::SegmentMap: ++counts.segment_allocs; break;
            case AllocatorAction::SegmentFree:
            case AllocatorAction::SegmentUnmap: ++counts.segment_frees; break;
            case AllocatorAction::OutOfMemory:
                ++counts.out_of_memory;
                if (event.bytes > counts.largest_failed) {
                    counts.largest_failed = event.bytes;
                    counts.free_then = static_cast<std::int64_t>(event.address);
                }
                break;
            default: break;
        }
    }
    return counts;
}

}  // namespace

SnapshotFacts snapshotFacts(const MemorySnapshot& snapshot) {
    std::map<std::int32_t, DeviceSums> devices;
    for (std::uint32_t s = 0; s < snapshot.segments.size(); ++s) {
        const std::int32_t device = snapshot.segments[s].device;
        devices.try_emplace(device, snapshot, device).first->second.add(s);
    }
    for (std::size_t d = 0; d < snapshot.history.size(); ++d) {
        if (!snapshot.history[d].empty()) {
            const auto device = static_cast<std::int32_t>(d);
            devices.try_emplace(device, snapshot, device);
        }
    }
    SnapshotFacts facts;
    facts.has_stacks = snapshot.stacks.size() > 1;
    for (auto& [device, sums] : devices) {
        DeviceSnapshot& out = facts.devices.emplace_back(sums.finish());
        out.peak = snapshotPeak(snapshot, device);
        if (out.peak) {
            facts.has_history = true;
            out.history = countHistory(snapshot.history[static_cast<std::size_t>(device)]);
        }
        facts.expandable_segments = facts.expandable_segments || out.expandable > 0;
    }
    const auto set =
        std::ranges::find(snapshot.settings, "expandable_segments", &std::pair<std::string, std::string>::first);
    facts.expandable_segments = facts.expandable_segments || (set != snapshot.settings.end() && set->second == "True");
    return facts;
}

}  // namespace rankscope
