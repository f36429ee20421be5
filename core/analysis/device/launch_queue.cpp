// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device/launch_queue.h"

#include <algorithm>
#include <numeric>

namespace rankscope {
namespace {

constexpr std::size_t kDeepQueue = 256;
constexpr DurationNs kQuickCallNs = 20'000;

}  // namespace

std::vector<BlockedLaunch> findBlockedLaunches(std::span<const DeviceEvent* const> launched) {
    std::vector<BlockedLaunch> blocked;
    if (launched.size() <= kDeepQueue) {
        return blocked;
    }
    SliceRef call;  // of a graph, which launches many
    for (std::uint32_t i = kDeepQueue; i < launched.size(); ++i) {
        const DeviceEvent& event = *launched[i];
        const bool is_new = event.launch.valid() && event.launch != call;
        call = event.launch;
        if (is_new && event.call.length() > kQuickCallNs &&
            launched[i - kDeepQueue]->span.end_ns > event.call.start_ns) {
            blocked.push_back({i, 0});
        }
    }
    if (blocked.empty()) {
        return blocked;
    }
    std::vector<std::uint32_t> by_end(launched.size());
    std::iota(by_end.begin(), by_end.end(), 0U);
    const auto end_of = [&](std::uint32_t i) { return launched[i]->span.end_ns; };
    std::ranges::sort(by_end, {}, end_of);
    std::erase_if(blocked, [&](BlockedLaunch& one) {
        const TimeSpan& span = launched[one.event]->call;
        auto last = std::ranges::upper_bound(by_end, span.end_ns, {}, end_of);
        while (last != by_end.begin() && end_of(*(last - 1)) > span.start_ns) {
            --last;
            if (*last + kDeepQueue <= one.event) {
                one.released_by = *last;
                return false;
            }
        }
        return true;
    });
    return blocked;
}

}  // namespace rankscope
