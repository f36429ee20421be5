// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/time.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// What a device's allocator held at one moment, by its `[memory]` events.
struct MemorySample {
    TimeNs at_ns = 0;  ///< file clock
    std::int64_t allocated_bytes = 0;
    std::int64_t reserved_bytes = 0;
};

/// The memory of `device` over time, at most `count` samples (1 or more): where there are more events, each sample is
/// the one with the most allocated of its equal stretch of the window, so that peaks stay. Events that do not say what
/// is held are left out. Linear in the events.
[[nodiscard]] std::vector<MemorySample> memorySeries(const MemoryTable& memory, std::int32_t device, std::size_t count);

}  // namespace rankscope
