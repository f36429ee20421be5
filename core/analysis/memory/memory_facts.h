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

/// The allocator's totals on a device at the end of a phase of a step, from its `[memory]` events.
struct MemoryCheckpoint {
    std::optional<RankStepPosition> step;  ///< nothing between steps
    std::optional<Phase> phase;            ///< the phase that ended; nothing at the start of the window, and at the end
                                           ///< of a step
    TimeNs at_ns = 0;                      ///< file clock
    std::int64_t allocated = 0;
    std::int64_t reserved = 0;
    std::int64_t peak = 0;   ///< the most allocated since the previous checkpoint
    std::int64_t delta = 0;  ///< `allocated` minus that of the previous checkpoint
};

/// A block that was allocated at the peak.
struct PeakBlock {
    std::int64_t bytes = 0;
    MemoryPart part = MemoryPart::Unknown;
    std::optional<TimeNs> allocated_ns;  ///< nothing: before the window
    std::optional<TimeNs> freed_ns;      ///< nothing: not in the window
    SliceRef slice;                      ///< the operator that allocated it; invalid if unknown
};

/// The memory of one operator at the peak.
struct OperatorMemory {
    std::string name;  ///< empty: unknown, or allocated before the window
    MemoryPart part = MemoryPart::Unknown;
    std::int64_t bytes = 0;
    std::size_t blocks = 0;
    std::int64_t largest = 0;  ///< bytes of its largest block
    SliceRef slice;            ///< the operator call that allocated the largest block
};

/// What the memory of one device of a rank was used for at its peak.
struct MemoryAtPeak {
    std::int32_t device = -1;
    TimeNs at_ns = 0;  ///< file clock
    std::optional<RankStepPosition> step;
    Phase phase = Phase::Other;  ///< the phase of the host then
    std::int64_t allocated = 0;
    std::int64_t reserved = 0;
    MemoryParts parts;                      ///< adds up to `allocated`
    std::vector<OperatorMemory> operators;  ///< by operator and part, the largest first
    std::vector<PeakBlock> largest;         ///< the largest blocks of those that are known individually
    bool has_addresses = false;             ///< events have the address of their block; else all is Unknown
    /// The sum of all changes by events that the file lacks, known from the totals of consecutive events. If not 0,
    /// parts may be wrong by this much.
    std::int64_t unseen = 0;
    std::vector<MemoryCheckpoint> checkpoints;  ///< sorted by time

    /// Reserved, but in no tensor: the allocator's cache.
    [[nodiscard]] std::int64_t cache() const { return reserved - allocated; }
};

/// What the ranks' memory was used for.
struct MemoryFacts {
    std::vector<std::vector<MemoryAtPeak>> ranks;  ///< parallel to Run::ranks; for each rank, its devices
    ModelSize model;                               ///< as the user enters it, for the formulas
    [[nodiscard]] bool any() const {
        return std::ranges::any_of(ranks, [](const std::vector<MemoryAtPeak>& rank) { return !rank.empty(); });
    }
};

}  // namespace rankscope
