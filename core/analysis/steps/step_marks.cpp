// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/step_marks.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "core/trace/recorded_windows.h"
#include "core/trace/step_numbers.h"

namespace rankscope {
namespace {

/// All slices that mark steps, in one pass over the host threads. The thread is the track, the index the slice's.
std::vector<MarkSlice> markSlices(const RankTrace& rank) {
    std::vector<std::optional<StepMarkName>> marks;  // by name: each is examined once
    marks.reserve(rank.strings.size());
    for (std::uint32_t i = 0; i < rank.strings.size(); ++i) {
        marks.push_back(stepMarkOf(rank.strings.view(StringId(i))));
    }
    std::vector<MarkSlice> found;
    for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
        const SliceTable& slices = rank.tracks[t].slices;
        for (SliceIndex i = 0; i < slices.size() && rank.tracks[t].kind == TrackKind::CpuThread; ++i) {
            const StringId name = slices.name[i];
            if (name.valid() && marks[name.value] && mayMarkSteps(marks[name.value]->kind, slices.category[i])) {
                found.push_back(
                    {.mark = *marks[name.value], .thread = t, .name = name.value, .index = i, .span = slices.span(i)});
            }
        }
    }
    return found;
}

StepSource sourceOf(StepMarkKind kind) {
    switch (kind) {
        case StepMarkKind::ProfilerStep: return StepSource::ProfilerStep;
        case StepMarkKind::NamedRange: return StepSource::NamedRange;
        case StepMarkKind::Iteration: return StepSource::Iteration;
        case StepMarkKind::OptimizerStep: return StepSource::OptimizerStep;
        case StepMarkKind::DataLoaderNext: break;
    }
    return StepSource::DataLoaderNext;
}

TrackId busiestLauncher(const RankTrace& rank) {
    std::vector<std::uint32_t> launches(rank.tracks.size(), 0);
    for (const Launch& launch : rank.launches.all()) {
        ++launches[launch.host.track.value];
    }
    const auto most = std::ranges::max_element(launches);
    if (most != launches.end() && *most > 0) {
        return TrackId(static_cast<std::uint32_t>(most - launches.begin()));
    }
    std::size_t slices = 0;
    TrackId thread;
    for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
        if (rank.tracks[t].kind == TrackKind::CpuThread && rank.tracks[t].slices.size() > slices) {
            slices = rank.tracks[t].slices.size();
            thread = TrackId(t);
        }
    }
    return thread;
}

/// Whether the steps on the host say nothing about the device: no launch in the file shows what they launched, and most
/// of the device's time is outside them. A host that runs ahead is done with its steps long before the device is.
bool missDeviceWork(const RankTrace& rank, const std::vector<NumberedStep>& steps) {
    constexpr double kMostInside = 0.5;
    if (!rank.launches.all().empty()) {
        return false;
    }
    DurationNs all_ns = 0;
    DurationNs inside_ns = 0;
    for (const Track& track : rank.tracks) {
        for (SliceIndex i = 0; i < track.slices.size() && track.kind == TrackKind::Stream; ++i) {
            const TimeSpan span = track.slices.span(i);
            const auto after = std::ranges::upper_bound(steps, span.start_ns, {},
                                                        [](const NumberedStep& step) { return step.host.start_ns; });
            all_ns += span.length();
            inside_ns += after != steps.begin() && std::prev(after)->host.contains(span.start_ns) ? span.length() : 0;
        }
    }
    return static_cast<double>(inside_ns) < kMostInside * static_cast<double>(all_ns);
}

}  // namespace

StepMarks findStepMarks(const RankTrace& rank) {
    const RecordedWindows windows(rank);
    const std::optional<NumberedSteps> numbered = numberSteps(markSlices(rank), windows);
    if (numbered && !missDeviceWork(rank, numbered->steps)) {
        const bool counted = areCounted(numbered->kind);
        StepMarks marks{sourceOf(numbered->kind), TrackId(numbered->thread), {}};
        for (const NumberedStep& step : numbered->steps) {
            marks.marks.push_back({step.number + (counted ? rank.first_counted_step : 0),
                                   step.host,
                                   {TrackId(numbered->thread), step.index}});
        }
        return marks;
    }
    StepMarks whole{StepSource::WholeWindow, busiestLauncher(rank), {}};
    for (const TimeSpan& window : windows.all()) {
        whole.marks.push_back({static_cast<std::int64_t>(whole.marks.size()), window, {}});
    }
    return whole;
}

}  // namespace rankscope
