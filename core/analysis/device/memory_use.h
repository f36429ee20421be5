// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/time.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

struct RankTrace;

/// The peak of PyTorch's caching allocator on one device, from its `[memory]` events (profile_memory=True).
struct MemoryPeak {
    std::int64_t allocated_bytes = 0;  ///< in tensors
    std::int64_t reserved_bytes = 0;   ///< reserved by the allocator; >= allocated
    TimeNs at_ns = 0;                  ///< when most was reserved: at the first such event
    std::int64_t allocated_then = 0;   ///< in tensors at that time

    /// The part of the reserved memory that no tensor used then, 0 to 1: the cache, and fragmentation.
    [[nodiscard]] double unusedShare() const {
        return reserved_bytes <= 0 ? 0.0
                                   : 1.0 - static_cast<double>(allocated_then) / static_cast<double>(reserved_bytes);
    }
};

/// The memory of one device of a rank.
struct DeviceMemory {
    std::int32_t device = -1;
    std::uint64_t capacity_bytes = 0;              ///< `totalGlobalMem`; 0 if the file does not have it
    MemoryPeak peak;                               ///< over the whole window
    std::vector<std::optional<MemoryPeak>> steps;  ///< parallel to RankFacts::steps, by host time; nothing without
                                                   ///< events
};

/// The devices with memory events that have the reserved total, by device number. `hosts` are the steps on the host.
[[nodiscard]] std::vector<DeviceMemory> memoryUse(const RankTrace& rank, const std::vector<TimeSpan>& hosts);

/// The allocator's totals on a device at one moment, from its `[memory]` events.
struct MemorySample {
    TimeNs at_ns = 0;  ///< file clock
    std::int64_t allocated_bytes = 0;
    std::int64_t reserved_bytes = 0;
};

/// The memory of `device` over time, up to `count` samples (1 or more). If there are more events, the window is divided
/// evenly and each sample is the event with the most allocated in its part, so that peaks stay. Events without totals
/// are left out. Linear in the events.
[[nodiscard]] std::vector<MemorySample> memorySeries(const MemoryTable& memory, std::int32_t device, std::size_t count);

}  // namespace rankscope
