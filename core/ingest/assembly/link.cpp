// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/assembly/assemble.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/parallel.h"
#include "core/base/sort_runs.h"
#include "core/ingest/assembly/launch_counts.h"

namespace rankscope {
namespace {

std::vector<SliceRef> slicesOf(const std::vector<Correlated>& calls) {
    std::vector<SliceRef> slices(calls.size());
    std::ranges::transform(calls, slices.begin(), &Correlated::slice);
    return slices;
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

/// Finds slices by the data of a flow.
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

/// Joins launches of device work without a correlation, or with one that no call has.
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
    const std::vector<SliceRef> launching = launchingCalls(slicesOf(input.host), trace);
    std::vector<Launch> launches = joinByCorrelation(input.host, input.device, stop);
    const std::size_t device_slices = countDeviceWork(trace);
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
    health.early_kernels += countEarlyKernels(trace);
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
