// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/analysis/memory/memory_part.h"
#include "core/analysis/memory/snapshot_facts.h"

namespace rankscope {

/// What makes less of memory that is mostly for this, with where it is documented; empty for what no remedy is known.
[[nodiscard]] std::string_view memoryRemedy(MemoryPart part);
/// What dominates: the part with most bytes, where it has a third or more of all; else Unknown.
[[nodiscard]] MemoryPart dominantPart(const MemoryParts& parts);
/// What to do about fragmentation.
[[nodiscard]] std::string_view fragmentationRemedy();

/// What to do about the memory that a snapshot shows, sentences: about what dominates, and about fragmentation where
/// memory ran out, or a tenth of what is reserved is free and cannot be given back.
[[nodiscard]] std::vector<std::string> snapshotAdvice(const SnapshotFacts& facts);

/// Held from this share of the device's memory on, the next allocation may fail. The PyTorch profiler's TensorBoard
/// plugin raised its alarm there too.
inline constexpr double kNearCapacity = 0.9;
/// From this share of unused memory on at the fullest instant, the cache is worth a look: it is fragmented, or
/// has sizes that are no longer used.
inline constexpr double kMuchUnused = 0.25;

}  // namespace rankscope
