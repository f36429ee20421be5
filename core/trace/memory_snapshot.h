// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/string_pool.h"

namespace rankscope {

/// The state of a block of the caching allocator at the moment of a snapshot.
enum class BlockState : std::uint8_t {
    Allocated,    ///< used by a tensor (`active_allocated`)
    PendingFree,  ///< freed, but a stream may still use it (`active_pending_free`)
    Inactive,     ///< free, kept by the allocator (`inactive`)
    Unknown,      ///< another state in the snapshot
};

/// One line of a stack.
struct SnapshotFrame {
    StringId file;
    StringId function;
    std::int64_t line = 0;
};

/// A piece of a segment.
struct SnapshotBlock {
    std::uint64_t address = 0;   ///< 0 if it is not recorded
    std::int64_t bytes = 0;      ///< its size, rounded up by the allocator
    std::int64_t requested = 0;  ///< the requested part; equals `bytes` if it is not recorded
    BlockState state = BlockState::Unknown;
    std::uint32_t stack = 0;  ///< index in MemorySnapshot::stacks; 0: none was recorded
};

/// Memory that the allocator took from the driver in one piece, or by `expandable_segments` in several.
struct SnapshotSegment {
    std::int32_t device = 0;
    std::uint64_t address = 0;
    std::int64_t total = 0;    ///< bytes
    std::uint64_t stream = 0;  ///< the stream that owns it
    StringId pool;             ///< "large", "small"
    bool expandable = false;
    bool private_pool = false;      ///< belongs to a CUDA graph or a MemPool
    std::uint32_t first_block = 0;  ///< index in MemorySnapshot::blocks
    std::uint32_t block_count = 0;
};

/// What the allocator did, if its history was recorded.
enum class AllocatorAction : std::uint8_t {
    Alloc,
    FreeRequested,
    FreeCompleted,
    SegmentAlloc,
    SegmentFree,
    SegmentMap,
    SegmentUnmap,
    OutOfMemory,
    Snapshot,
    Other,  ///< newer than this program
};

/// One entry of the history of a device, in the order in which they were recorded.
struct AllocatorEvent {
    AllocatorAction action = AllocatorAction::Other;
    std::uint64_t address = 0;  ///< for OutOfMemory: the bytes that were free on the device
    std::int64_t bytes = 0;
    std::int64_t time_us = 0;  ///< on the machine's clock; 0 if it is not recorded
    std::uint32_t stack = 0;   ///< index in MemorySnapshot::stacks; 0: none was recorded
};

/// The content of `torch.cuda.memory._snapshot()`: everything in the caching allocator at one moment, with the stacks
/// that allocated it, and earlier events, as far as these were recorded.
struct MemorySnapshot {
    std::string path;
    StringPool strings;
    std::vector<SnapshotFrame> frames;
    /// Stacks, innermost frame first, as indices into `frames`. The first one has no frames.
    std::vector<std::vector<std::uint32_t>> stacks = {{}};
    std::vector<SnapshotSegment> segments;
    std::vector<SnapshotBlock> blocks;
    std::vector<std::vector<AllocatorEvent>> history;           ///< by device
    std::vector<std::pair<std::string, std::string>> settings;  ///< settings of the allocator, as written
};

}  // namespace rankscope
