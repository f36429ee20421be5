// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/memory/memory_formula.h"
#include "core/analysis/memory/memory_part.h"
#include "core/analysis/steps/phases.h"
#include "core/base/ids.h"
#include "core/base/time.h"

namespace rankscope {

/// What the allocator of a device held at the end of a phase of a step, by its `[memory]` events.
struct MemoryCheckpoint {
    std::optional<RankStepPosition> step;  ///< nothing between steps
    std::optional<Phase> phase;            ///< that ended; nothing at the start of the window, and at the end of a step
    TimeNs at_ns = 0;                      ///< file clock
    std::int64_t allocated = 0;
    std::int64_t reserved = 0;
    std::int64_t peak = 0;   ///< most that was allocated since the checkpoint before
    std::int64_t delta = 0;  ///< `allocated` against the checkpoint before
};

/// A block that was allocated at the peak.
struct PeakBlock {
    std::int64_t bytes = 0;
    MemoryPart part = MemoryPart::Unknown;
    std::optional<TimeNs> allocated_ns;  ///< nothing: before the window
    std::optional<TimeNs> freed_ns;      ///< nothing: not in the window
    SliceRef slice;                      ///< the operator that asked for it; invalid if unknown
};

/// What one operator holds at the peak.
struct OperatorMemory {
    std::string name;  ///< empty: not known, or from before the window
    MemoryPart part = MemoryPart::Unknown;
    std::int64_t bytes = 0;
    std::size_t blocks = 0;
    std::int64_t largest = 0;  ///< bytes of the largest of them
    SliceRef slice;            ///< that asked for the largest of them
};

/// What held the memory of one device of a rank when most was allocated.
struct MemoryAtPeak {
    std::int32_t device = -1;
    TimeNs at_ns = 0;  ///< file clock
    std::optional<RankStepPosition> step;
    Phase phase = Phase::Other;  ///< that the host was in
    std::int64_t allocated = 0;
    std::int64_t reserved = 0;
    MemoryParts parts;                      ///< adds up to `allocated`
    std::vector<OperatorMemory> operators;  ///< by operator and part, the largest first
    std::vector<PeakBlock> largest;         ///< the largest blocks that are known one by one
    bool has_addresses = false;             ///< events say which block they are about; else all is Unknown
    /// What events that are missing in the file changed in all: each event's total against the one before. Not 0: parts
    /// may be off by as much.
    std::int64_t unseen = 0;
    std::vector<MemoryCheckpoint> checkpoints;  ///< by time

    /// Reserved, but in no tensor: the allocator's cache.
    [[nodiscard]] std::int64_t cache() const { return reserved - allocated; }
};

/// What the ranks' memory was used for.
struct MemoryFacts {
    std::vector<std::vector<MemoryAtPeak>> ranks;  ///< as Run::ranks, by device
    ModelSize model;                               ///< as the user says it, for the formulas
    [[nodiscard]] bool any() const {
        return std::ranges::any_of(ranks, [](const std::vector<MemoryAtPeak>& rank) { return !rank.empty(); });
    }
};

}  // namespace rankscope
