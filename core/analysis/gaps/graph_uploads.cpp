// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>
#include <utility>

#include "core/analysis/gaps/host_threads.h"
#include "core/base/statistics.h"

namespace rankscope {
namespace {

constexpr DurationNs kLeastUploadNs = 1'000'000;
constexpr DurationNs kTimesBaseline = 10;

struct GraphLaunch {
    SliceRef call;
    TimeSpan span;
    std::vector<StringId> work;  ///< the names of its device work
};

/// All graph launches of a rank, by start.
std::vector<GraphLaunch> graphLaunches(const RankTrace& rank, const HostNames& names) {
    std::vector<GraphLaunch> launches;
    for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
        const SliceTable& slices = rank.tracks[t].slices;
        for (SliceIndex i = 0; rank.tracks[t].kind == TrackKind::CpuThread && i < slices.size(); ++i) {
            if (!isLaunchCall(slices.category[i]) || !names.launchesGraph(slices.name[i])) {
                continue;
            }
            GraphLaunch launch{{TrackId(t), i}, slices.span(i), {}};
            for (const Launch& one : rank.launches.launchedBy(launch.call)) {
                launch.work.push_back(rank.track(one.device).slices.name[one.device.slice]);
            }
            if (!launch.work.empty()) {
                launches.push_back(std::move(launch));
            }
        }
    }
    std::ranges::stable_sort(launches, {}, [](const GraphLaunch& launch) { return launch.span.start_ns; });
    return launches;
}

}  // namespace

std::vector<SliceRef> graphUploads(const RankTrace& rank, const HostNames& names) {
    std::set<std::vector<StringId>> known;
    std::vector<GraphLaunch> first;
    std::vector<DurationNs> again;
    for (GraphLaunch& launch : graphLaunches(rank, names)) {
        if (known.insert(launch.work).second) {
            first.push_back(std::move(launch));
        } else {
            again.push_back(launch.span.length());
        }
    }
    if (again.empty()) {
        return {};
    }
    const DurationNs baseline_ns = lowerMedian(std::move(again));
    std::vector<SliceRef> uploads;
    for (const GraphLaunch& launch : first) {
        if (launch.span.length() > std::max(kLeastUploadNs, kTimesBaseline * baseline_ns)) {
            uploads.push_back(launch.call);
        }
    }
    std::ranges::sort(uploads);
    return uploads;
}

}  // namespace rankscope
