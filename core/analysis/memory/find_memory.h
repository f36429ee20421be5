// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/memory/memory_facts.h"
#include "core/analysis/rank_context.h"

namespace rankscope {

/// What held the memory of each device of a rank when most was allocated, told by when its blocks were allocated and
/// freed and in which phases that was; and what was held between phases. See docs/definitions.md, "Memory". Nothing for
/// devices whose events do not say how much is allocated. O(n log n) in the events.
[[nodiscard]] std::vector<MemoryAtPeak> memoryAtPeak(const RankContext& work, const RankFacts& facts);

/// The same of all ranks, on up to `threads` threads.
[[nodiscard]] MemoryFacts findMemory(const std::vector<RankContext>& work, const RunFacts& facts, std::size_t threads);

}  // namespace rankscope
