// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device/device_work.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/statistics.h"
#include "core/trace/recorded_windows.h"

namespace rankscope {
namespace {

/// The launch of every slice of every stream, by [track][slice].
using LaunchRefs = std::vector<std::vector<SliceRef>>;

LaunchRefs launchRefs(const RankTrace& rank) {
    LaunchRefs refs(rank.tracks.size());
    for (std::size_t t = 0; t < rank.tracks.size(); ++t) {
        if (rank.tracks[t].kind == TrackKind::Stream) {
            refs[t].resize(rank.tracks[t].slices.size());
        }
    }
    for (const Launch& launch : rank.launches.all()) {
        std::vector<SliceRef>& of_track = refs[launch.device.track.value];
        if (launch.device.slice < of_track.size()) {
            of_track[launch.device.slice] = launch.host;
        }
    }
    return refs;
}

/// Sets the device with most work, and the others that have any.
void chooseDevice(const RankTrace& rank, const WorkClasses& classes, DeviceWork& work) {
    std::map<std::int32_t, DurationNs> busy;
    for (std::size_t t = 0; t < rank.tracks.size(); ++t) {
        const SliceTable& slices = rank.tracks[t].slices;
        for (std::size_t i = 0; i < classes[t].size(); ++i) {
            if (classes[t][i] != WorkClass::None) {
                busy[rank.tracks[t].device] += slices.end_ns[i] - slices.start_ns[i];
            }
        }
    }
    if (busy.empty()) {
        return;
    }
    // The first of the equal ones: the lowest index.
    work.device =
        std::ranges::max_element(busy, [](const auto& a, const auto& b) { return a.second < b.second; })->first;
    for (const auto& [device, time_ns] : busy) {
        if (device != work.device) {
            work.other_devices.push_back(device);
        }
    }
}

void appendStream(const RankTrace& rank, const RecordedWindows& windows, std::uint32_t track,
                  const std::vector<WorkClass>& classes, const std::vector<SliceRef>& launches, DeviceWork& work) {
    const SliceTable& slices = rank.tracks[track].slices;
    const bool any_launch = std::ranges::any_of(launches, &SliceRef::valid);
    std::uint32_t window = 0;
    TimeNs launched_ns = DeviceEvent::kBeforeAll;
    for (SliceIndex i = 0; i < classes.size(); ++i) {
        if (classes[i] == WorkClass::None) {
            continue;
        }
        DeviceEvent event{.span = slices.span(i),
                          .ref = {TrackId(track), i},
                          .launch = launches[i],
                          .call = {},
                          .launched_ns = 0,
                          .work = classes[i]};
        if (const std::uint32_t own = windows.indexOf(event.span.start_ns); own != window) {
            window = own;
            launched_ns = windows.all()[own].start_ns - 1;
        }
        if (event.launch.valid()) {
            event.call = rank.span(event.launch);
            launched_ns = event.call.start_ns;
        }
        event.launched_ns = any_launch ? launched_ns : event.span.start_ns;
        if (!event.span.empty()) {
            work.events.push_back(event);
        } else if (event.launch.valid()) {
            work.empty_events.push_back(event);
        }
    }
}

/// Marks the communication that only waits. Each different name is checked once.
void markWaiting(const RankTrace& rank, const NameRules& rules, std::vector<DeviceEvent>& events) {
    std::map<StringId, bool> waits;
    for (DeviceEvent& event : events) {
        if (event.work != WorkClass::Communication) {
            continue;
        }
        const SliceTable& slices = rank.track(event.ref).slices;
        const StringId name = slices.name[event.ref.slice];
        if (!name.valid()) {
            continue;
        }
        const auto [known, is_new] = waits.try_emplace(name, false);
        if (is_new) {
            const NameRules::Rule* const rule = rules.ruleOf(rank.strings.view(name));
            known->second = rule != nullptr && rule->waits;
        }
        event.waits_only = known->second;
    }
}

IntervalSet unionOfClass(const std::vector<DeviceEvent>& events, WorkClass work) {
    std::vector<TimeSpan> spans;
    for (const DeviceEvent& event : events) {
        if (event.work == work) {
            spans.push_back(event.span);
        }
    }
    return IntervalSet::unionOf(std::move(spans));
}

}  // namespace

DurationNs medianLaunchInterval(const DeviceWork& work) {
    std::vector<TimeNs> launches;
    for (const DeviceEvent& event : work.events) {
        if (event.launch.valid()) {
            launches.push_back(event.launched_ns);
        }
    }
    std::ranges::sort(launches);
    const auto repeated = std::ranges::unique(launches);  // a graph launches many kernels with one call
    launches.erase(repeated.begin(), repeated.end());
    std::vector<DurationNs> intervals;
    for (std::size_t i = 1; i < launches.size(); ++i) {
        intervals.push_back(launches[i] - launches[i - 1]);
    }
    return lowerMedian(std::move(intervals));
}

DeviceWork collectDeviceWork(const RankTrace& rank, const WorkClasses& classes, const NameRules& rules) {
    DeviceWork work;
    chooseDevice(rank, classes, work);
    const LaunchRefs launches = launchRefs(rank);
    const RecordedWindows windows(rank);
    for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
        if (classes[t].empty() || rank.tracks[t].device != work.device) {
            continue;
        }
        const auto middle = static_cast<std::ptrdiff_t>(work.events.size());
        appendStream(rank, windows, t, classes[t], launches[t], work);
        std::inplace_merge(
            work.events.begin(), work.events.begin() + middle, work.events.end(),
            [](const DeviceEvent& a, const DeviceEvent& b) { return a.span.start_ns < b.span.start_ns; });
    }
    std::ranges::stable_sort(work.empty_events, {}, &DeviceEvent::launched_ns);
    markWaiting(rank, rules, work.events);
    work.compute = unionOfClass(work.events, WorkClass::Compute);
    work.communication = unionOfClass(work.events, WorkClass::Communication);
    work.copy = unionOfClass(work.events, WorkClass::Copy);
    work.busy = work.compute.unite(work.communication).unite(work.copy);
    return work;
}

}  // namespace rankscope
