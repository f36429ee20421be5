// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/launch_table.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "core/base/sort_runs.h"

namespace rankscope {

LaunchTable::LaunchTable(std::vector<Launch> launches) : by_host_(std::move(launches)) {
    sortRuns(by_host_, std::less<>());
    by_device_.resize(by_host_.size());
    std::iota(by_device_.begin(), by_device_.end(), 0U);
    sortRuns(by_device_, [this](std::uint32_t a, std::uint32_t b) { return by_host_[a].device < by_host_[b].device; });
}

SliceRef LaunchTable::launchOf(SliceRef device) const {
    const auto at =
        std::ranges::lower_bound(by_device_, device, {}, [this](std::uint32_t i) { return by_host_[i].device; });
    return at != by_device_.end() && by_host_[*at].device == device ? by_host_[*at].host : SliceRef();
}

std::span<const Launch> LaunchTable::launchedBy(SliceRef host) const {
    const auto range = std::ranges::equal_range(by_host_, host, {}, &Launch::host);
    return {range.begin(), range.end()};
}

std::size_t LaunchTable::memoryBytes() const {
    return by_host_.capacity() * sizeof(Launch) + by_device_.capacity() * sizeof(std::uint32_t);
}

}  // namespace rankscope
