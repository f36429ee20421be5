// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/memory/memory_part.h"
#include "core/analysis/steps/phase_row.h"
#include "core/base/time.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// When a block was allocated and freed, as far as the window shows it.
struct BlockLife {
    std::int64_t bytes = 0;
    std::optional<std::size_t> allocated;  ///< index in the MemoryTable; nothing: before the window
    std::optional<std::size_t> freed;      ///< index in the MemoryTable; nothing: not in the window
    [[nodiscard]] bool livesAt(std::size_t event) const {
        return (!allocated || *allocated <= event) && (!freed || *freed > event);
    }
};

/// The blocks of one device that are allocated or freed in the window.
struct BlockLives {
    std::vector<BlockLife> blocks;
    std::int64_t before = 0;  ///< bytes allocated when the window began
    std::int64_t unseen = 0;  ///< as MemoryAtPeak::unseen
};

/// `events`: those of the device in the table, in order; all have the allocated total. A block whose address is
/// allocated again was freed in between, unseen. Linear.
[[nodiscard]] BlockLives blockLives(const MemoryTable& memory, const std::vector<std::size_t>& events);

/// What a block was for, by the phases (in `row`) in which it was allocated and freed. See docs/definitions/memory.md.
[[nodiscard]] MemoryPart partOfLife(const MemoryTable& memory, const BlockLife& life, const PhaseOrder& phases);

}  // namespace rankscope
