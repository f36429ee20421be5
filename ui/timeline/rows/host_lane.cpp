// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/rows/host_lane.h"

#include <algorithm>

#include "core/trace/recorded_windows.h"

namespace rankscope::ui {
namespace {

constexpr std::size_t kQuietSlices = 256;
constexpr DurationNs kQuietPart = 100;  // a quiet thread records less than the window divided by this

bool launchesWork(const RankTrace& trace, TrackId thread) {
    const auto all = trace.launches.all();
    const auto first = std::ranges::lower_bound(all, SliceRef{thread, 0}, {}, &Launch::host);
    return first != all.end() && first->host.track == thread;
}

}  // namespace

std::optional<HostLane> hostLane(const RankView& rank, std::span<const RankTracks::Listed> threads) {
    if (threads.empty()) {
        return {};
    }
    const auto slices = [&](const RankTracks::Listed& thread) {
        return rank.trace->tracks[thread.id.value].slices.size();
    };
    HostLane lane{std::ranges::max_element(threads, {}, slices)->id, 0};
    const TrackId main = rank.facts != nullptr ? rank.facts->main_thread : TrackId();
    if (std::ranges::find(threads, main, &RankTracks::Listed::id) != threads.end()) {
        lane.track = main;
    }
    const SliceRef mark =
        rank.facts != nullptr && !rank.facts->steps.empty() ? rank.facts->steps.front().mark : SliceRef();
    if (mark.valid() && mark.track == lane.track) {
        const Track& track = rank.trace->track(mark);
        const auto inside = static_cast<std::uint16_t>(track.slices.depth[mark.slice] + 1);
        lane.depth = inside < track.row_count ? inside : lane.depth;
    }
    return lane;
}

bool isQuietThread(const RankView& rank, TrackId thread) {
    const RankTrace& trace = *rank.trace;
    const SliceTable& slices = trace.tracks[thread.value].slices;
    const bool main = rank.facts != nullptr && rank.facts->main_thread == thread;
    if (main || slices.size() >= kQuietSlices || launchesWork(trace, thread)) {
        return false;
    }
    DurationNs covered_ns = 0;
    for (SliceIndex i = 0; i < slices.size(); ++i) {
        if (slices.parent[i] == kNoSlice) {
            covered_ns += slices.end_ns[i] - slices.start_ns[i];
        }
    }
    return covered_ns < RecordedWindows(trace).lengthIn(trace.window) / kQuietPart;
}

}  // namespace rankscope::ui
