// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/step_bounds.h"

#include <algorithm>

namespace rankscope {

StepOrGap slotOf(std::span<const StepMark> marks, TimeNs host_ns) {
    const auto after =
        std::ranges::upper_bound(marks, host_ns, {}, [](const StepMark& mark) { return mark.host.start_ns; });
    const RankStepPosition started(after - marks.begin());
    if (started > 0 && host_ns < marks[started - 1].host.end_ns) {
        return StepOrGap::inside(RankStepPosition(started - 1));
    }
    return StepOrGap::before(started);
}

std::vector<TimeSpan> boundSteps(std::span<const TimeSpan> hosts, const SlotTimes& last_end, TimeNs earlier_ns) {
    std::vector<TimeSpan> steps;
    steps.reserve(hosts.size());
    for (RankStepPosition i{0}; i < hosts.size(); ++i) {
        // The end of everything before it, both device work and steps.
        earlier_ns = std::max(earlier_ns, last_end[StepOrGap::before(i)]);
        const TimeNs start_ns = std::max(hosts[i].start_ns, earlier_ns);
        const TimeNs end_ns = std::max({hosts[i].end_ns, last_end[StepOrGap::inside(i)], start_ns});
        steps.push_back({start_ns, end_ns});
        earlier_ns = end_ns;
    }
    return steps;
}

}  // namespace rankscope
