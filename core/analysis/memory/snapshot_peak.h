// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/analysis/memory/snapshot_facts.h"

namespace rankscope {

/// Bytes per stack, summed block by block.
class StackSums {
  public:
    void add(std::uint32_t stack, std::int64_t bytes);
    /// The stacks with most memory first, each with its use.
    [[nodiscard]] std::vector<StackMemory> sorted(const MemorySnapshot& snapshot) const;

  private:
    std::unordered_map<std::uint32_t, StackMemory> sums_;
};

/// The memory of these stacks by use.
[[nodiscard]] MemoryParts partsOf(const std::vector<StackMemory>& stacks);

/// The peak of memory in use on a device within its history, and the stacks that had allocated it: the history is
/// replayed backwards from the state at its end. Nothing without a history. O(n log n).
[[nodiscard]] std::optional<SnapshotPeak> snapshotPeak(const MemorySnapshot& snapshot, std::int32_t device);

}  // namespace rankscope
