// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/memory/memory_part.h"
#include "core/trace/memory_snapshot.h"

namespace rankscope {

/// The memory that one stack allocated.
struct StackMemory {
    std::uint32_t stack = 0;  ///< index in MemorySnapshot::stacks; 0: blocks without a stack
    std::int64_t bytes = 0;
    std::size_t blocks = 0;
    std::int64_t largest = 0;  ///< bytes of its largest block
    MemoryPart part = MemoryPart::Unknown;
};

/// What used the memory of a device at its peak, as far back as the history goes.
struct SnapshotPeak {
    std::int64_t active = 0;                ///< requested bytes that are in use, or waiting to be freed
    std::optional<std::int64_t> before_us;  ///< how long before the snapshot; nothing if no times are recorded
    std::vector<StackMemory> stacks;        ///< the stacks that had allocated them, the largest first; adds up to
                                            ///< `active`
    MemoryParts parts;                      ///< the same by use
};

/// How often the allocator did what, if its history was recorded.
struct HistoryCounts {
    std::size_t allocs = 0;
    std::size_t frees = 0;           ///< completed
    std::size_t segment_allocs = 0;  ///< taken from the driver; also pieces that were mapped into expandable segments
    std::size_t segment_frees = 0;   ///< returned to the driver
    std::size_t out_of_memory = 0;
    std::int64_t largest_failed = 0;  ///< bytes requested when memory ran out
    std::int64_t free_then = 0;       ///< bytes free on the device then
};

/// The segments of one pool ("large" or "small") of a device.
struct PoolMemory {
    std::string name;
    std::size_t segments = 0;
    std::int64_t total = 0;
    std::int64_t allocated = 0;
    std::int64_t inactive = 0;
};

/// The state of PyTorch's allocator on one device at the moment of a snapshot. In bytes; `reserved` is the sum of
/// `allocated`, `pending`, `split`, `free_segments` and `unlisted`.
struct DeviceSnapshot {
    std::int32_t device = 0;
    std::int64_t reserved = 0;   ///< in all segments
    std::int64_t allocated = 0;  ///< in blocks of tensors
    std::int64_t requested = 0;  ///< the requested part of `allocated`; the rest is rounding
    std::int64_t pending = 0;    ///< in blocks that are freed, but that a stream may still use
    std::int64_t split = 0;      ///< free, in segments with another part in use: cannot be returned
    /// Free, in segments without a part in use, or in expandable ones: empty_cache() returns it.
    std::int64_t free_segments = 0;
    std::int64_t unlisted = 0;      ///< in segments, but in no block of a known state
    std::int64_t largest_free = 0;  ///< the largest free block: the most that fits without the driver
    std::size_t segment_count = 0;
    std::size_t block_count = 0;    ///< number of allocated blocks
    std::size_t expandable = 0;     ///< number of expandable segments
    std::size_t private_pools = 0;  ///< segments of CUDA graphs and MemPools
    std::vector<PoolMemory> pools;
    std::vector<StackMemory> stacks;      ///< allocated and pending blocks by stack, the largest first
    MemoryParts parts;                    ///< the same by use, as the stacks show it
    std::vector<std::uint32_t> largest;   ///< the largest allocated blocks, as indices in MemorySnapshot::blocks
    std::vector<std::uint32_t> segments;  ///< segments of this device, the one with most split bytes first
    HistoryCounts history;
    std::optional<SnapshotPeak> peak;  ///< nothing without a history

    /// The share of reserved memory that is free but next to used memory, so it cannot be returned: 0 to 1.
    [[nodiscard]] double fragmentation() const {
        return reserved <= 0 ? 0.0 : static_cast<double>(split) / static_cast<double>(reserved);
    }
    /// Free bytes that the allocator keeps.
    [[nodiscard]] std::int64_t inactive() const { return split + free_segments; }
};

/// The facts of a snapshot, by device.
struct SnapshotFacts {
    std::vector<DeviceSnapshot> devices;
    bool has_stacks = false;           ///< stacks were recorded
    bool has_history = false;          ///< the history before the snapshot was recorded
    bool expandable_segments = false;  ///< the allocator's settings or a segment show it
};

/// The facts of a snapshot. O(n log n) in its blocks and entries.
[[nodiscard]] SnapshotFacts snapshotFacts(const MemorySnapshot& snapshot);

}  // namespace rankscope
