// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/assembly/assemble.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/parallel.h"
#include "core/base/sort_runs.h"

namespace rankscope {
namespace {

/// Calls that put work on a stream; without a device record for them, that record was lost.
constexpr std::array<std::string_view, 12> kLaunchPrefixes = {
    "cudaLaunch",   "cuLaunch",        "cudaMemcpyAsync",    "cudaMemsetAsync", "cudaGraphLaunch", "hipLaunch",
    "hipExtLaunch", "hipModuleLaunch", "hipExtModuleLaunch", "hipMemcpyAsync",  "hipMemsetAsync",  "hipGraphLaunch"};

bool launchesWork(std::string_view name) {
    return std::ranges::any_of(kLaunchPrefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

/// Those of `calls` that put work on a stream. Each name is looked at once.
std::vector<SliceRef> launchingCalls(const std::vector<Correlated>& calls, const RankTrace& trace) {
    std::vector<std::optional<bool>> known(trace.strings.size());
    std::vector<SliceRef> launching;
    for (const Correlated& call : calls) {
        const StringId name = trace.track(call.slice).slices.name[call.slice.slice];
        std::optional<bool>& launches = known[name.value];
        if (!launches) {
            launches = launchesWork(trace.strings.view(name));
        }
        if (*launches) {
            launching.push_back(call.slice);
        }
    }
    return launching;
}

/// How many of `calls`, sorted, launched nothing.
std::uint64_t countUnlinked(const std::vector<SliceRef>& calls, std::span<const Launch> launches) {
    std::uint64_t count = 0;
    auto launch = launches.begin();
    for (const SliceRef call : calls) {
        while (launch != launches.end() && launch->host < call) {
            ++launch;
        }
        count += launch == launches.end() || launch->host != call ? 1U : 0U;
    }
    return count;
}

std::vector<Launch> joinByCorrelation(std::vector<Correlated>& host, std::vector<Correlated>& device,
                                      const std::stop_token& stop) {
    const auto less = [](const Correlated& a, const Correlated& b) {
        return a.correlation != b.correlation ? a.correlation < b.correlation : a.slice < b.slice;
    };
    const auto stopped = [&] { return stop.stop_requested(); };
    sortRuns(host, less, stopped);
    sortRuns(device, less, stopped);
    std::vector<Launch> launches;
    launches.reserve(device.size());
    auto h = host.begin();
    for (const Correlated& work : device) {
        while (h != host.end() && h->correlation < work.correlation) {
            ++h;
        }
        if (h != host.end() && h->correlation == work.correlation) {
            launches.push_back({h->slice, work.slice});
        }
    }
    return launches;
}

/// Finds slices by what a flow says of them.
class SliceFinder {
  public:
    explicit SliceFinder(const RankTrace& trace) : trace_(trace) {
        for (std::uint32_t i = 0; i < trace.tracks.size(); ++i) {
            const Track& track = trace.tracks[i];
            tracks_[{track.kind, track.process, track.lane}] = i;
        }
    }

    /// The outermost slice that starts at the flow's time.
    [[nodiscard]] SliceRef startingAt(TrackKind kind, const FlowPoint& point) const {
        const auto at = tracks_.find({kind, point.process, point.lane});
        if (at == tracks_.end()) {
            return {};
        }
        const std::vector<TimeNs>& starts = trace_.tracks[at->second].slices.start_ns;
        const auto slice = std::ranges::lower_bound(starts, point.at_ns);
        const bool found = slice != starts.end() && *slice == point.at_ns;
        return found ? SliceRef{TrackId(at->second), static_cast<SliceIndex>(slice - starts.begin())} : SliceRef();
    }

  private:
    const RankTrace& trace_;
    std::map<std::tuple<TrackKind, StringId, StringId>, std::uint32_t> tracks_;
};

/// Pairs of flow points, start and end, of one id.
std::vector<std::pair<FlowPoint, FlowPoint>> pairFlows(const std::vector<std::vector<FlowPoint>>& points,
                                                       bool forward_backward, const std::stop_token& stop) {
    std::vector<FlowPoint> chosen;
    for (const std::vector<FlowPoint>& of_a_thread : points) {
        std::ranges::copy_if(of_a_thread, std::back_inserter(chosen),
                             [&](const FlowPoint& p) { return p.forward_backward == forward_backward; });
    }
    sortRuns(
        chosen, [](const FlowPoint& a, const FlowPoint& b) { return a.id != b.id ? a.id < b.id : a.start && !b.start; },
        [&] { return stop.stop_requested(); });
    std::vector<std::pair<FlowPoint, FlowPoint>> pairs;
    const FlowPoint* start = nullptr;
    for (const FlowPoint& point : chosen) {
        if (point.start) {
            start = &point;
        } else if (start != nullptr && start->id == point.id) {
            pairs.emplace_back(*start, point);
        }
    }
    return pairs;
}

std::size_t deviceSlices(const RankTrace& trace) {
    std::size_t count = 0;
    for (const Track& track : trace.tracks) {
        count += track.kind == TrackKind::Stream ? track.slices.size() : 0;
    }
    return count;
}

/// Launches of device work that has no correlation, or one that no call has.
void joinByFlows(const std::vector<std::vector<FlowPoint>>& flows, const SliceFinder& find,
                 std::vector<Launch>& launches, const std::stop_token& stop) {
    const LaunchTable known(launches);
    for (const auto& [from, to] : pairFlows(flows, false, stop)) {
        if (stop.stop_requested()) {
            return;
        }
        const SliceRef device = find.startingAt(TrackKind::Stream, to);
        const SliceRef host = find.startingAt(TrackKind::CpuThread, from);
        if (device.valid() && host.valid() && !known.launchOf(device).valid()) {
            launches.push_back({host, device});
        }
    }
}

void linkLaunches(LinkInput& input, const SliceFinder& find, RankTrace& trace, const std::stop_token& stop) {
    const std::vector<SliceRef> launching = launchingCalls(input.host, trace);
    std::vector<Launch> launches = joinByCorrelation(input.host, input.device, stop);
    const std::size_t device_slices = deviceSlices(trace);
    if (launches.size() < device_slices) {
        joinByFlows(input.flows, find, launches, stop);
    }
    if (stop.stop_requested()) {
        return;
    }
    sortRuns(launches, std::less<>());
    const auto repeated = std::ranges::unique(launches);
    launches.erase(repeated.begin(), repeated.end());
    launches.shrink_to_fit();
    trace.launches = LaunchTable(std::move(launches));

    Health& health = trace.health;
    health.unlinked_device += device_slices - std::min(device_slices, trace.launches.all().size());
    for (const Launch& launch : trace.launches.all()) {
        health.early_kernels += trace.span(launch.device).start_ns < trace.span(launch.host).start_ns ? 1U : 0U;
    }
    health.unlinked_launches += countUnlinked(launching, trace.launches.all());
}

void linkForwardToBackward(const LinkInput& input, const SliceFinder& find, RankTrace& trace,
                           const std::stop_token& stop) {
    for (const auto& [from, to] : pairFlows(input.flows, true, stop)) {
        if (stop.stop_requested()) {
            return;
        }
        const Flow flow{find.startingAt(TrackKind::CpuThread, from), find.startingAt(TrackKind::CpuThread, to)};
        if (flow.from.valid() && flow.to.valid()) {
            trace.flows.push_back(flow);
        }
    }
    std::ranges::sort(trace.flows, {}, &Flow::from);
}

}  // namespace

void linkTrace(LinkInput input, unsigned threads, RankTrace& trace, const std::stop_token& stop) {
    const SliceFinder find(trace);
    forEachIndex(2, threads, [&](std::size_t i) {
        if (i == 0) {
            linkLaunches(input, find, trace, stop);
        } else {
            linkForwardToBackward(input, find, trace, stop);
        }
    });
}

}  // namespace rankscope
