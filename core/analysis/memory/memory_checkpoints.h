// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/analysis/facts.h"
#include "core/analysis/memory/memory_facts.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// The step whose mark on the host contains an instant. O(log n).
[[nodiscard]] std::optional<RankStepPosition> stepAt(const std::vector<RankStep>& steps, TimeNs at_ns);

/// What was allocated on a device at the start of each recorded window, and at the end of each forward, backward and
/// optimizer of each step in it; at the end of each step if its phases are unknown. `events`: those of the device, in
/// order. Linear.
[[nodiscard]] std::vector<MemoryCheckpoint> memoryCheckpoints(const MemoryTable& memory,
                                                              const std::vector<std::size_t>& events,
                                                              const RankFacts& facts);

}  // namespace rankscope
