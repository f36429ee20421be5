// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/analysis/memory/snapshot_facts.h"

namespace rankscope {

/// Bytes that stacks hold, gathered block by block.
class StackSums {
  public:
    void add(std::uint32_t stack, std::int64_t bytes);
    /// The largest first, each with what it is for.
    [[nodiscard]] std::vector<StackMemory> sorted(const MemorySnapshot& snapshot) const;

  private:
    std::unordered_map<std::uint32_t, StackMemory> sums_;
};

/// What these stacks hold, by what it is for.
[[nodiscard]] MemoryParts partsOf(const std::vector<StackMemory>& stacks);

/// When most was in use on a device within its history, and what held it then: the history is gone through backwards
/// from what is at the end. Nothing without a history. O(n log n).
[[nodiscard]] std::optional<SnapshotPeak> snapshotPeak(const MemorySnapshot& snapshot, std::int32_t device);

}  // namespace rankscope
