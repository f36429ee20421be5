// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/ddp_marks.h"

#include <array>
#include <optional>
#include <utility>

#include "core/analysis/rank_context.h"
#include "core/analysis/steps/step_bounds.h"
#include "core/base/interval_set.h"

namespace rankscope {
namespace {

DdpPart* partOf(DdpStep& step, ReducerPart part) {
    switch (part) {
        case ReducerPart::SearchUnused: return &step.search_unused;
        case ReducerPart::CopyToBucket: return &step.copy_to_bucket;
        case ReducerPart::CopyToGradient: return &step.copy_to_gradient;
        case ReducerPart::None: return nullptr;
    }
    return nullptr;
}

/// The step that contains a host instant; nothing between the marks.
std::optional<RankStepPosition> stepAt(const RankContext& work, TimeNs host_ns) {
    return slotOf(work.marks.marks, host_ns).step();
}

void addHostTime(const RankContext& work, DdpMarks& marks) {
    for (const HostThread& thread : work.threads.all()) {
        for (const SliceIndex i : thread.reducers) {
            const SliceTable& slices = work.trace->tracks[thread.track.value].slices;
            const ReducerPart part = work.names.reducerPart(slices.name[i]);
            marks.in_use = true;
            if (const auto step = stepAt(work, slices.start_ns[i])) {
                DdpPart& counted = *partOf(marks.steps[*step], part);
                ++counted.calls;
                counted.host_ns += slices.span(i).length();
            }
        }
    }
}

void addDeviceTime(const RankContext& work, DdpMarks& marks) {
    std::vector<std::array<std::vector<TimeSpan>, 4>> spans(marks.steps.size());  // by step and part
    for (const DeviceEvent& event : work.device.events) {
        const SliceRef reducer =
            event.launch.valid() ? work.threads.reducerAround(*work.trace, work.names, event.launch) : SliceRef();
        const auto step = reducer.valid() ? stepAt(work, event.launched_ns) : std::nullopt;
        if (!step) {
            continue;
        }
        const Track& host = work.trace->track(reducer);
        const ReducerPart part = work.names.reducerPart(host.slices.name[reducer.slice]);
        spans[*step][static_cast<std::size_t>(part)].push_back(event.span);
        if (const std::int64_t* bytes = work.trace->track(event.ref).bytes.find(event.ref.slice)) {
            partOf(marks.steps[*step], part)->bytes += *bytes;
        }
    }
    for (std::size_t s = 0; s < spans.size(); ++s) {
        for (const ReducerPart part :
             {ReducerPart::SearchUnused, ReducerPart::CopyToBucket, ReducerPart::CopyToGradient}) {
            partOf(marks.steps[s], part)->device_ns =
                IntervalSet::unionOf(std::move(spans[s][static_cast<std::size_t>(part)])).length();
        }
    }
}

}  // namespace

DdpMarks collectDdpMarks(const RankContext& work) {
    DdpMarks marks;
    marks.steps.resize(work.marks.marks.size());
    for (std::uint32_t i = 0; i < work.trace->strings.size() && !marks.in_use; ++i) {
        marks.in_use = work.trace->strings.view(StringId(i)) == "DistributedDataParallel.forward";
    }
    addHostTime(work, marks);
    if (marks.in_use) {
        addDeviceTime(work, marks);
    }
    return marks;
}

}  // namespace rankscope
