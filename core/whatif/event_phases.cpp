// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/whatif/event_phases.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/analysis/steps/phase_marks.h"

namespace rankscope {

EventPhases eventPhases(const RuleContext& context) {
    EventPhases phases;
    for (std::size_t r = 0; r < context.work.size(); ++r) {
        const RankTrace& trace = *context.work[r].trace;
        const PhaseMarks marks = findPhaseMarks(context.work[r]);
        std::vector<std::size_t> hints(marks.ranges.size(), 0);
        std::vector<Phase>& of_rank = phases.emplace_back();
        for (const ReplayEvent& event : context.pricer.model().ranks[r].events) {
            const SliceRef launch = trace.launches.launchOf(event.ref);
            of_rank.push_back(launch.valid() ? phaseAt(marks.ranges[launch.track.value], trace.span(launch).start_ns,
                                                       hints[launch.track.value])
                                             : Phase::Other);
        }
    }
    return phases;
}

LaunchFloors launchFloors(const RuleContext& context) {
    LaunchFloors floors;
    for (std::size_t r = 0; r < context.work.size(); ++r) {
        DurationNs& floor_ns = floors.emplace_back(0);
        for (const ReplayEvent& event : context.pricer.model().ranks[r].events) {
            const DurationNs length_ns = event.span.length();
            const bool kernel = context.work[r].trace->category(event.ref) == Category::Kernel;
            if (kernel && !event.communication && length_ns > 0 && (floor_ns == 0 || length_ns < floor_ns)) {
                floor_ns = length_ns;
            }
        }
    }
    return floors;
}

DurationNs scaledBeyond(DurationNs floor_ns, DurationNs length_ns, double factor) {
    const DurationNs beyond_ns = std::max<DurationNs>(0, length_ns - floor_ns);
    return length_ns - beyond_ns + static_cast<DurationNs>(std::llround(factor * static_cast<double>(beyond_ns)));
}

std::function<DurationNs(RankPosition rank, const ReplayEvent& event, DurationNs length_ns)> optimizerOnShare(
    const RuleContext& context, double share) {
    const auto phases = std::make_shared<const EventPhases>(eventPhases(context));
    const auto floors = std::make_shared<const LaunchFloors>(launchFloors(context));
    return [&ranks = context.pricer.model().ranks, phases, floors, share](RankPosition rank, const ReplayEvent& event,
                                                                          DurationNs length_ns) {
        const bool optimizer = (*phases)[rank][indexOf(ranks[rank], event)] == Phase::Optimizer;
        return optimizer && !event.communication ? scaledBeyond((*floors)[rank], length_ns, share) : length_ns;
    };
}

}  // namespace rankscope
