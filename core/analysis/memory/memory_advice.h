// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/analysis/memory/memory_part.h"
#include "core/analysis/memory/snapshot_facts.h"

namespace rankscope {

/// How to reduce memory that is mostly of this part, with a link to the documentation; empty if no remedy is known.
[[nodiscard]] std::string_view memoryRemedy(MemoryPart part);
/// The part with most bytes, if it has a third or more of all; else Unknown.
[[nodiscard]] MemoryPart dominantPart(const MemoryParts& parts);
/// What to do about fragmentation.
[[nodiscard]] std::string_view fragmentationRemedy();

/// What to do about the memory that a snapshot shows, as sentences: about the dominant part, and about fragmentation if
/// memory ran out, or if a tenth of the reserved memory is free and cannot be returned.
[[nodiscard]] std::vector<std::string> snapshotAdvice(const SnapshotFacts& facts);

/// From this share of the device's memory on, the next allocation may fail. The PyTorch profiler's TensorBoard plugin
/// warned there too.
inline constexpr double kNearCapacity = 0.9;
/// From this share of unused memory on, at the peak of reserved memory, the cache is worth a look: it is fragmented, or
/// has sizes that are no longer used.
inline constexpr double kMuchUnused = 0.25;

}  // namespace rankscope
