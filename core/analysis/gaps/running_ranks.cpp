// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gaps/running_ranks.h"

#include <algorithm>
#include <utility>

#include "core/base/interval_set.h"

namespace rankscope {

std::vector<RunningRanks> runningRanks(std::span<const RankPauses> ranks, const TimeSpan& window) {
    if (window.empty()) {
        return {};
    }
    std::vector<std::pair<TimeNs, std::int32_t>> turns;  // when a rank stops (-1) or continues (+1)
    for (const RankPauses& pauses : ranks) {
        const IntervalSet all = IntervalSet::unionOf(pauses).clip(window);
        for (const TimeSpan& pause : all.spans()) {
            turns.emplace_back(pause.start_ns, -1);
            turns.emplace_back(pause.end_ns, 1);
        }
    }
    std::ranges::sort(turns);
    std::vector<RunningRanks> changes{{window.start_ns, static_cast<std::uint32_t>(ranks.size())}};
    for (std::size_t i = 0; i < turns.size();) {
        const TimeNs at_ns = turns[i].first;
        std::int32_t change = 0;
        for (; i < turns.size() && turns[i].first == at_ns; ++i) {
            change += turns[i].second;
        }
        const auto running = static_cast<std::uint32_t>(static_cast<std::int32_t>(changes.back().running) + change);
        if (at_ns == window.start_ns) {
            changes.back().running = running;
        } else if (change != 0 && at_ns < window.end_ns) {
            changes.push_back({at_ns, running});
        }
    }
    return changes;
}

}  // namespace rankscope
