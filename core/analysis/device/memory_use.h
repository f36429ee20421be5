// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/time.h"

namespace rankscope {

struct RankTrace;

/// The greatest values of PyTorch's caching allocator on one device, by its `[memory]` events (profile_memory=True).
struct MemoryPeak {
    std::int64_t allocated_bytes = 0;  ///< in tensors
    std::int64_t reserved_bytes = 0;   ///< held by the allocator; >= allocated
    TimeNs at_ns = 0;                  ///< when most was reserved, at the first such event
    std::int64_t allocated_then = 0;   ///< in tensors at that instant

    /// The part of what was reserved that no tensor used then, 0 to 1: the cache, and what fragmentation keeps from
    /// use.
    [[nodiscard]] double unusedShare() const {
        return reserved_bytes <= 0 ? 0.0
                                   : 1.0 - static_cast<double>(allocated_then) / static_cast<double>(reserved_bytes);
    }
};

/// The memory of one device of a rank.
struct DeviceMemory {
    std::int32_t device = -1;
    std::uint64_t capacity_bytes = 0;              ///< `totalGlobalMem`; 0 where the file does not say
    MemoryPeak peak;                               ///< over the whole window
    std::vector<std::optional<MemoryPeak>> steps;  ///< as RankFacts::steps, by the host's time; nothing without events
};

/// The devices with memory events that say what is reserved, by their number. `hosts` are the steps on the host.
[[nodiscard]] std::vector<DeviceMemory> memoryUse(const RankTrace& rank, const std::vector<TimeSpan>& hosts);

}  // namespace rankscope
