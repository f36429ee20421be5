// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/rank_steps.h"

#include <fmt/format.h>
#include <algorithm>
#include <string>

#include "core/analysis/serving/tell_iterations.h"
#include "core/analysis/steps/step_bounds.h"
#include "core/base/format.h"

namespace rankscope {
namespace {

/// What a step launched.
struct StepLaunches {
    std::size_t kernels = 0;   ///< kernel launches in it
    std::size_t unlinked = 0;  ///< of these, without a device record
    std::size_t work = 0;      ///< pieces of device work launched in it
};

void countSlices(const RankContext& work, TrackId track, const std::vector<SliceIndex>& slices,
                 std::vector<StepLaunches>& steps, std::size_t StepLaunches::*counter) {
    if (slices.empty()) {
        return;
    }
    const std::vector<TimeNs>& start_ns = work.trace->tracks[track.value].slices.start_ns;
    for (const SliceIndex i : slices) {
        if (const auto step = slotOf(work.marks.marks, start_ns[i]).step()) {
            ++(steps[*step].*counter);
        }
    }
}

/// Names the work launched before a step that ended last: one slice with a wrong duration hides many steps, and its
/// name shows which.
std::string lastBefore(const RankContext& work, TimeNs mark_ns) {
    const DeviceEvent* last = nullptr;
    for (const DeviceEvent& event : work.device.events) {
        if (event.launched_ns < mark_ns && (last == nullptr || event.span.end_ns > last->span.end_ns)) {
            last = &event;
        }
    }
    return last == nullptr ? std::string()
                           : ", where " + std::string(work.trace->name(last->ref)) + " runs for " +
                                 formatDuration(last->span.length());
}

void judgeCompleteness(const RankContext& work, const StepLaunches& launches, MeasuredStep& step) {
    if (isSystematic(launches.unlinked, launches.kernels)) {  // its device time cannot be trusted
        step.complete = false;
        step.incomplete_reason = fmt::format("{} of its {} kernel launches have no GPU record",
                                             formatCount(launches.unlinked), formatCount(launches.kernels));
    } else if (launches.work == 0) {
        step.complete = false;
        step.incomplete_reason = "it launched no GPU work";
    } else if (step.span.empty()) {
        step.complete = false;
        step.incomplete_reason =
            "its GPU work ended before that of the previous step" + lastBefore(work, step.host.start_ns);
    }
}

/// What ended on the rank's device before the first step that was read; null if nothing is known.
const EarlierSteps::DeviceEnds* earlierEnds(const RankContext& work) {
    const std::vector<EarlierSteps::DeviceEnds>& devices = work.trace->earlier.devices;
    const auto ends = std::ranges::find(devices, work.device.device, &EarlierSteps::DeviceEnds::device);
    return ends == devices.end() || work.marks.source == StepSource::WholeWindow ? nullptr : &*ends;
}

}  // namespace

std::vector<MeasuredStep> findRankSteps(const RankContext& work) {
    const std::vector<StepMark>& marks = work.marks.marks;
    SlotTimes last_end(marks.size(), DeviceEvent::kBeforeAll);
    std::vector<StepLaunches> launches(marks.size());
    for (const DeviceEvent& event : work.device.events) {
        const StepOrGap slot = slotOf(marks, event.launched_ns);
        last_end[slot] = std::max(last_end[slot], event.span.end_ns);
        if (const auto step = slot.step()) {
            ++launches[*step].work;
        }
    }
    for (const HostThread& thread : work.threads.all()) {
        countSlices(work, thread.track, thread.launches, launches, &StepLaunches::kernels);
        countSlices(work, thread.track, thread.unlinked, launches, &StepLaunches::unlinked);
    }
    std::vector<TimeSpan> hosts;
    for (const StepMark& mark : marks) {
        hosts.push_back(mark.host);
    }
    // The whole window is one step: nothing was launched before it, and it ends with the window.
    if (work.marks.source == StepSource::WholeWindow) {
        last_end = SlotTimes(marks.size(), DeviceEvent::kBeforeAll);
    }
    const std::vector<TimeSpan> spans = boundSteps(hosts, last_end, earlierWorkEnd(work));
    const RecordedWindows windows(*work.trace);
    std::vector<MeasuredStep> steps(marks.size());
    for (std::size_t i = 0; i < marks.size(); ++i) {
        steps[i].index = marks[i].index;
        steps[i].host = marks[i].host;
        steps[i].mark = marks[i].slice;
        steps[i].span = spans[i];
        steps[i].window = windows.indexOf(marks[i].host.start_ns);
        if (work.device.device >= 0) {
            judgeCompleteness(work, launches[i], steps[i]);
        }
    }
    tellIterations(work, steps);
    return steps;
}

TimeNs earlierWorkEnd(const RankContext& work) {
    const EarlierSteps::DeviceEnds* const ends = earlierEnds(work);
    return ends != nullptr ? ends->work_ns : DeviceEvent::kBeforeAll;
}

std::optional<StepBefore> stepBeforeFirst(const RankContext& work) {
    const EarlierSteps& earlier = work.trace->earlier;
    if (!earlier.number || work.marks.source == StepSource::WholeWindow) {
        return std::nullopt;
    }
    const EarlierSteps::DeviceEnds* const ends = earlierEnds(work);
    const TimeNs on_device_ns =
        ends != nullptr ? ends->step_work_ns.value_or(DeviceEvent::kBeforeAll) : DeviceEvent::kBeforeAll;
    return StepBefore{*earlier.number, std::max(earlier.host_end_ns, on_device_ns)};
}

}  // namespace rankscope
