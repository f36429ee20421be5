// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device/memory_series.h"

#include <algorithm>

namespace rankscope {

std::vector<MemorySample> memorySeries(const MemoryTable& memory, std::int32_t device, std::size_t count) {
    std::vector<MemorySample> all;
    for (std::size_t i = 0; i < memory.size(); ++i) {
        if (memory.device[i] == device && memory.total_allocated[i] >= 0 && memory.total_reserved[i] >= 0) {
            all.push_back({memory.at_ns[i], memory.total_allocated[i], memory.total_reserved[i]});
        }
    }
    if (all.size() <= count) {
        return all;
    }
    const TimeNs first = all.front().at_ns;
    const auto length = static_cast<double>(std::max<DurationNs>(1, all.back().at_ns - first + 1));
    std::vector<MemorySample> kept;
    std::size_t last_stretch = count;
    for (const MemorySample& sample : all) {
        const double share = static_cast<double>(sample.at_ns - first) / length;
        const auto stretch = std::min(count - 1, static_cast<std::size_t>(share * static_cast<double>(count)));
        if (stretch != last_stretch) {
            kept.push_back(sample);
            last_stretch = stretch;
        } else if (sample.allocated_bytes > kept.back().allocated_bytes) {
            kept.back() = sample;
        }
    }
    return kept;
}

}  // namespace rankscope
