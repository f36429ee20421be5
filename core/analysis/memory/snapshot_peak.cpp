// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory/snapshot_peak.h"

#include <algorithm>
#include <cstddef>

#include "core/analysis/memory/stack_part.h"

namespace rankscope {
namespace {

/// A block in use at one moment of the history, in requested bytes: the history has no others.
struct LiveBlock {
    std::int64_t bytes = 0;
    std::uint32_t stack = 0;
};
using LiveBlocks = std::unordered_map<std::uint64_t, LiveBlock>;  // by address

bool isActive(const SnapshotBlock& block) {
    return block.state == BlockState::Allocated || block.state == BlockState::PendingFree;
}

LiveBlocks liveAtTheEnd(const MemorySnapshot& snapshot, std::int32_t device) {
    LiveBlocks live;
    for (const SnapshotSegment& segment : snapshot.segments) {
        for (std::uint32_t b = segment.first_block;
             segment.device == device && b < segment.first_block + segment.block_count; ++b) {
            const SnapshotBlock& block = snapshot.blocks[b];
            if (isActive(block)) {
                live[block.address] = {block.requested, block.stack};
            }
        }
    }
    return live;
}

std::int64_t bytesOf(const LiveBlocks& live) {
    std::int64_t bytes = 0;
    for (const auto& [address, block] : live) {
        bytes += block.bytes;
    }
    return bytes;
}

/// The last entry after which most was in use; 0 is before the first.
struct Height {
    std::size_t behind = 0;
    std::int64_t bytes = 0;
};

Height highest(const std::vector<AllocatorEvent>& events, std::int64_t at_the_end) {
    Height most{events.size(), at_the_end};
    std::int64_t bytes = at_the_end;
    for (std::size_t i = events.size(); i > 0; --i) {
        const AllocatorEvent& event = events[i - 1];
        bytes += event.action == AllocatorAction::FreeCompleted ? event.bytes
                 : event.action == AllocatorAction::Alloc       ? -event.bytes
                                                                : 0;
        if (bytes > most.bytes) {
            most = {i - 1, bytes};
        }
    }
    return most;
}

/// Undoes everything after `behind`. A block that was freed since gets the stack that allocated it, if that is in the
/// history.
void goBack(const std::vector<AllocatorEvent>& events, std::size_t behind, LiveBlocks& live) {
    std::unordered_map<std::uint64_t, std::uint32_t> stack_of;
    for (std::size_t i = 0; i < behind; ++i) {
        if (events[i].action == AllocatorAction::Alloc) {
            stack_of[events[i].address] = events[i].stack;
        } else if (events[i].action == AllocatorAction::FreeCompleted) {
            stack_of.erase(events[i].address);
        }
    }
    for (std::size_t i = events.size(); i > behind; --i) {
        const AllocatorEvent& event = events[i - 1];
        if (event.action == AllocatorAction::Alloc) {
            live.erase(event.address);
        } else if (event.action == AllocatorAction::FreeCompleted) {
            const auto at = stack_of.find(event.address);
            live[event.address] = {event.bytes, at == stack_of.end() ? 0 : at->second};
        }
    }
}

std::optional<std::int64_t> beforeTheEnd(const std::vector<AllocatorEvent>& events, std::size_t behind) {
    const std::int64_t then = behind == 0 ? events.front().time_us : events[behind - 1].time_us;
    return then > 0 && events.back().time_us >= then ? std::optional(events.back().time_us - then) : std::nullopt;
}

}  // namespace

void StackSums::add(std::uint32_t stack, std::int64_t bytes) {
    StackMemory& sum = sums_[stack];
    sum.stack = stack;
    sum.bytes += bytes;
    sum.largest = std::max(sum.largest, bytes);
    ++sum.blocks;
}

std::vector<StackMemory> StackSums::sorted(const MemorySnapshot& snapshot) const {
    std::vector<StackMemory> out;
    out.reserve(sums_.size());
    for (const auto& [stack, sum] : sums_) {
        out.push_back(sum);
        out.back().part = partOfStack(snapshot, stack);
    }
    std::ranges::sort(out, [](const StackMemory& a, const StackMemory& b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : a.stack < b.stack;
    });
    return out;
}

MemoryParts partsOf(const std::vector<StackMemory>& stacks) {
    MemoryParts parts;
    for (const StackMemory& stack : stacks) {
        parts[stack.part] += stack.bytes;
    }
    return parts;
}

std::optional<SnapshotPeak> snapshotPeak(const MemorySnapshot& snapshot, std::int32_t device) {
    const auto at = static_cast<std::size_t>(device);
    if (at >= snapshot.history.size() || snapshot.history[at].empty()) {
        return std::nullopt;
    }
    const std::vector<AllocatorEvent>& events = snapshot.history[at];
    LiveBlocks live = liveAtTheEnd(snapshot, device);
    const Height most = highest(events, bytesOf(live));
    goBack(events, most.behind, live);
    StackSums sums;
    for (const auto& [address, block] : live) {
        sums.add(block.stack, block.bytes);
    }
    SnapshotPeak peak;
    peak.active = bytesOf(live);
    peak.before_us = beforeTheEnd(events, most.behind);
    peak.stacks = sums.sorted(snapshot);
    peak.parts = partsOf(peak.stacks);
    return peak;
}

}  // namespace rankscope
