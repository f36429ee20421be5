// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/phases.h"

#include <algorithm>
#include <optional>

#include "core/analysis/facts.h"
#include "core/analysis/steps/phase_marks.h"
#include "core/analysis/steps/phase_row.h"
#include "core/analysis/steps/step_bounds.h"

namespace rankscope {
namespace {

/// The device time of one phase of one step, summed from work in order of start.
struct DeviceTime {
    TimeSpan from_first_to_last;
    UnionLength busy;

    void add(const TimeSpan& span) {
        const bool first = busy.length() == 0;  // what is added is not empty
        from_first_to_last = {first ? span.start_ns : from_first_to_last.start_ns,
                              first ? span.end_ns : std::max(from_first_to_last.end_ns, span.end_ns)};
        busy.add(span);
    }
};

void measureDevice(const RankContext& work, const ExplainedRank& facts, const PhaseMarks& marks, RankPhases& phases) {
    std::vector<ByPhase<DeviceTime>> times(facts.steps.size());
    std::vector<std::size_t> hints(marks.ranges.size(), 0);
    for (const DeviceEvent& event : work.device.events) {
        Phase phase = Phase::Other;
        if (event.launch.valid()) {
            const std::uint32_t track = event.launch.track.value;
            phase = phaseAt(marks.ranges[track], event.call.start_ns, hints[track]);
        }
        if (event.work == WorkClass::Communication) {
            phases.communication.push_back({event.ref, phase});
            phase = Phase::Communication;
            phases.told[phase] = true;
        }
        const std::optional<RankStepPosition> step = slotOf(work.marks.marks, event.launched_ns).step();
        if (!step) {
            continue;
        }
        const TimeSpan inside = intersect(event.span, facts.steps[*step].span);
        if (!inside.empty()) {
            times[*step][phase].add(inside);
        }
    }
    for (std::size_t s = 0; s < times.size(); ++s) {
        for (std::size_t p = 0; p < kPhaseCount; ++p) {
            const DeviceTime& time = times[s].values[p];
            phases.steps[s].values[p].device_ns = time.busy.length();
            phases.steps[s].values[p].device_span_ns = time.from_first_to_last.length();
        }
    }
}

void measureHost(const ExplainedRank& facts, const PhaseMarks& marks, RankPhases& phases) {
    ByPhase<std::vector<TimeSpan>> spans;
    for (const std::vector<PhaseRange>& of_thread : marks.ranges) {
        for (const PhaseRange& range : of_thread) {
            spans[range.phase].push_back(range.span);
        }
    }
    spans[Phase::Communication] = marks.communication;
    IntervalSet any;
    ByPhase<IntervalSet> sets;
    for (std::size_t p = 0; p < kPhaseCount; ++p) {
        sets.values[p] = IntervalSet::unionOf(std::move(spans.values[p]));
        any = any.unite(sets.values[p]);
        phases.told.values[p] = !sets.values[p].empty();
    }
    for (std::size_t s = 0; s < facts.steps.size(); ++s) {
        const TimeSpan& host = facts.steps[s].host;
        for (std::size_t p = 0; p < kPhaseCount; ++p) {
            phases.steps[s].values[p].host_ns = sets.values[p].lengthIn(host);
        }
        phases.steps[s][Phase::Other].host_ns = host.length() - any.lengthIn(host);
    }
    phases.told[Phase::Other] = true;
}

}  // namespace

std::string_view phaseName(Phase phase) {
    switch (phase) {
        case Phase::Forward: return "forward";
        case Phase::Backward: return "backward";
        case Phase::Optimizer: return "optimizer";
        case Phase::Data: return "data";
        case Phase::Communication: return "communication";
        case Phase::Other: return "other";
    }
    return "other";
}

std::string_view phaseUnknownReason(Phase phase) {
    switch (phase) {
        case Phase::Forward:
            return "The file has no DistributedDataParallel.forward, no range named forward and no Python stack. Put "
                   "record_function(\"forward\") around it.";
        case Phase::Backward:
            return "The file has no autograd node and no range named backward: nothing was trained in the window, or "
                   "the operators were not recorded.";
        case Phase::Optimizer:
            return "The file has no Optimizer.step, no zero_grad and no range named optimizer. Put "
                   "record_function(\"optimizer\") around it.";
        case Phase::Data:
            return "The file has no DataLoader __next__ and no range named for data. Put record_function(\"data\") "
                   "around it.";
        case Phase::Communication: return "The file has no collective.";
        case Phase::Other: return "";
    }
    return "";
}

Phase launchPhase(const RankPhases& phases, SliceRef work) {
    const auto at = std::ranges::lower_bound(phases.communication, work, {}, &LaunchPhase::work);
    return at != phases.communication.end() && at->work == work ? at->phase : Phase::Other;
}

RankPhases measurePhases(const RankContext& work, const ExplainedRank& facts) {
    const PhaseMarks marks = findPhaseMarks(work);
    RankPhases phases;
    phases.steps.resize(facts.steps.size());
    measureHost(facts, marks, phases);
    measureDevice(work, facts, marks, phases);
    std::ranges::sort(phases.communication, {}, &LaunchPhase::work);
    phases.spans = phaseSpans(work, facts, marks);
    if (work.trace->memory.size() > 0) {
        phases.host = phaseRow(marks, facts.steps);
    }
    return phases;
}

}  // namespace rankscope
