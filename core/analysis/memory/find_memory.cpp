// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/find_facts.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "core/analysis/memory/block_lives.h"
#include "core/analysis/memory/memory_checkpoints.h"
#include "core/base/parallel.h"

namespace rankscope {
namespace {

constexpr std::size_t kPeakBlocksKept = 50;

/// The events of each device that have the allocated total, as indices into the table.
std::map<std::int32_t, std::vector<std::size_t>> eventsOfDevices(const MemoryTable& memory) {
    std::map<std::int32_t, std::vector<std::size_t>> events;
    for (std::size_t i = 0; i < memory.size(); ++i) {
        if (memory.device[i] >= 0 && memory.total_allocated[i] >= 0 && memory.total_reserved[i] > 0) {
            events[memory.device[i]].push_back(i);
        }
    }
    return events;
}

bool haveAddresses(const MemoryTable& memory, const std::vector<std::size_t>& events) {
    return memory.address.size() == memory.size() &&
           std::ranges::all_of(events, [&](std::size_t event) { return memory.address[event] != 0; });
}

/// Operators that only allocate memory for others.
bool isAllocation(std::string_view name) {
    return name.starts_with("aten::empty") || name.starts_with("aten::new_empty") || name == "aten::resize_";
}

/// The innermost operator around a slice that shows the purpose of memory: not one that only allocates, unless there is
/// no other.
SliceIndex namingOperator(const RankTrace& trace, const SliceTable& slices, SliceIndex slice) {
    SliceIndex innermost = kNoSlice;
    for (; slice != kNoSlice; slice = slices.parent[slice]) {
        if (slices.category[slice] != Category::CpuOp) {
            continue;
        }
        if (!isAllocation(trace.strings.view(slices.name[slice]))) {
            return slice;
        }
        innermost = innermost == kNoSlice ? slice : innermost;
    }
    return innermost;
}

/// The operator that ran when a block was allocated: of the innermost ones of all host threads the last to begin.
SliceRef operatorAt(const RankContext& work, TimeNs at_ns) {
    SliceRef found;
    TimeNs began_ns = 0;
    for (const HostThread& thread : work.threads.all()) {
        if (!thread.track.valid()) {
            continue;
        }
        const SliceTable& slices = work.trace->tracks[thread.track.value].slices;
        SliceIndex slice = innermostAt(slices, at_ns);
        slice = namingOperator(*work.trace, slices, slice);
        if (slice != kNoSlice && (!found.valid() || slices.start_ns[slice] > began_ns)) {
            found = {thread.track, slice};
            began_ns = slices.start_ns[slice];
        }
    }
    return found;
}

/// Gathers what is allocated at the peak.
class PeakSums {
  public:
    PeakSums(const RankContext& work, const PhaseOrder& phases, MemoryAtPeak& peak)
        : work_(work), phases_(phases), peak_(peak) {}

    /// The bytes of all blocks. Stays within 64 bits for damaged files.
    [[nodiscard]] std::int64_t bytes() const { return bytes_; }

    void add(const BlockLife& life) {
        if (bytes_ > peak_.allocated) {
            return;
        }
        bytes_ += life.bytes;
        const MemoryTable& memory = work_.trace->memory;
        PeakBlock block;
        block.bytes = life.bytes;
        block.part = partOfLife(memory, life, phases_);
        if (life.allocated) {
            block.allocated_ns = memory.at_ns[*life.allocated];
            block.slice = operatorAt(work_, *block.allocated_ns);
        }
        if (life.freed) {
            block.freed_ns = memory.at_ns[*life.freed];
        }
        peak_.parts[block.part] += block.bytes;
        OperatorMemory& sum =
            operators_[{block.slice.valid() ? work_.trace->name(block.slice) : std::string_view(), block.part}];
        sum.bytes += block.bytes;
        ++sum.blocks;
        if (block.bytes > sum.largest) {
            sum.largest = block.bytes;
            sum.slice = block.slice;
        }
        peak_.largest.push_back(block);
    }

    void finish() {
        for (auto& [key, sum] : operators_) {
            sum.name = std::string(key.first);
            sum.part = key.second;
            peak_.operators.push_back(std::move(sum));
        }
        std::ranges::stable_sort(peak_.operators, std::greater<>(), &OperatorMemory::bytes);
        std::ranges::stable_sort(peak_.largest, std::greater<>(), &PeakBlock::bytes);
        peak_.largest.resize(std::min(peak_.largest.size(), kPeakBlocksKept));
    }

  private:
    const RankContext& work_;
    const PhaseOrder& phases_;
    MemoryAtPeak& peak_;
    std::int64_t bytes_ = 0;
    std::map<std::pair<std::string_view, MemoryPart>, OperatorMemory> operators_;
};

/// Whether the window shows that gradients and optimizer state are allocated: then memory from before it is neither.
bool madeInWindow(const MemoryTable& memory, const BlockLives& lives, const PhaseOrder& phases, MemoryPart part) {
    return std::ranges::any_of(lives.blocks, [&](const BlockLife& life) {
        return life.allocated && partOfLife(memory, life, phases) == part;
    });
}

/// Memory from before the window that is neither allocated nor freed in it, and the remainder of the events.
void addRest(const MemoryTable& memory, const BlockLives& lives, const PhaseOrder& phases, MemoryAtPeak& peak) {
    std::int64_t held = lives.before;
    for (const BlockLife& life : lives.blocks) {
        held = life.allocated ? held : std::max<std::int64_t>(0, held - life.bytes);
    }
    const std::int64_t rest = peak.allocated - peak.parts.total();
    held = std::clamp<std::int64_t>(held, 0, std::max<std::int64_t>(0, rest));
    const bool parameters = madeInWindow(memory, lives, phases, MemoryPart::Gradients) &&
                            madeInWindow(memory, lives, phases, MemoryPart::OptimizerState);
    peak.parts[parameters ? MemoryPart::Parameters : MemoryPart::Held] += held;
    peak.parts[MemoryPart::Unknown] += rest - held;
}

/// The first of the events with most allocated.
std::size_t fullestOf(const MemoryTable& memory, const std::vector<std::size_t>& events) {
    return *std::ranges::max_element(events, {}, [&](std::size_t event) { return memory.total_allocated[event]; });
}

std::vector<std::size_t> eventsIn(const MemoryTable& memory, const std::vector<std::size_t>& events,
                                  const RecordedWindows& windows, std::uint32_t window) {
    std::vector<std::size_t> own;
    std::ranges::copy_if(events, std::back_inserter(own),
                         [&](std::size_t event) { return windows.indexOf(memory.at_ns[event]) == window; });
    return own;
}

MemoryAtPeak peakOf(const RankContext& work, const RankFacts& facts, std::int32_t device,
                    const std::vector<std::size_t>& all_events) {
    const MemoryTable& memory = work.trace->memory;
    // Only the events and phases of the peak's window show the purpose of its blocks.
    const std::uint32_t window = facts.windows.indexOf(memory.at_ns[fullestOf(memory, all_events)]);
    const std::vector<std::size_t> events = eventsIn(memory, all_events, facts.windows, window);
    std::vector<PhaseSpan> phases_of_window;
    std::ranges::copy_if(facts.phases.host, std::back_inserter(phases_of_window),
                         [&](const PhaseSpan& phase) { return facts.windows.indexOf(phase.span.start_ns) == window; });
    const PhaseOrder phases(phases_of_window);
    const std::size_t most = fullestOf(memory, events);
    MemoryAtPeak peak;
    peak.device = device;
    peak.at_ns = memory.at_ns[most];
    peak.step = stepAt(facts.steps, peak.at_ns);
    peak.phase = phases.phaseAt(peak.at_ns);
    peak.allocated = memory.total_allocated[most];
    peak.reserved = std::max(peak.allocated, memory.total_reserved[most]);
    peak.has_addresses = haveAddresses(memory, events);
    peak.checkpoints = memoryCheckpoints(memory, all_events, facts);
    if (!peak.has_addresses) {
        peak.parts[MemoryPart::Unknown] = peak.allocated;
        return peak;
    }
    const BlockLives lives = blockLives(memory, events);
    peak.unseen = lives.unseen;
    PeakSums sums(work, phases, peak);
    for (const BlockLife& life : lives.blocks) {
        if (life.livesAt(most)) {
            sums.add(life);
        }
    }
    sums.finish();
    if (sums.bytes() > peak.allocated) {
        // The events contradict each other: they show nothing.
        peak.parts = {};
        peak.operators.clear();
        peak.largest.clear();
        peak.parts[MemoryPart::Unknown] = peak.allocated;
        return peak;
    }
    addRest(memory, lives, phases, peak);
    return peak;
}

}  // namespace

std::vector<MemoryAtPeak> memoryAtPeak(const RankContext& work, const RankFacts& facts) {
    std::vector<MemoryAtPeak> devices;
    for (const auto& [device, events] : eventsOfDevices(work.trace->memory)) {
        devices.push_back(peakOf(work, facts, device, events));
    }
    return devices;
}

MemoryFacts findMemory(const std::vector<RankContext>& work, const RunFacts& facts, std::size_t threads) {
    MemoryFacts memory;
    memory.ranks.resize(work.size());
    forEachIndex(work.size(), threads, [&](std::size_t r) { memory.ranks[r] = memoryAtPeak(work[r], facts.ranks[r]); });
    return memory;
}

}  // namespace rankscope
