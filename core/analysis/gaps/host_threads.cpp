// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gaps/host_threads.h"

#include <algorithm>
#include <limits>
#include <span>

namespace rankscope {
namespace {

/// Gathers one thread. `launches` are those of the thread, sorted by slice.
HostThread gather(const RankTrace& rank, const HostNames& names, TrackId track, std::span<const Launch> launches) {
    const SliceTable& slices = rank.tracks[track.value].slices;
    HostThread thread;
    thread.track = track;
    thread.puts_work = !launches.empty();
    std::size_t next_launch = 0;
    TimeNs loader_end_ns = 0;
    for (SliceIndex i = 0; i < slices.size(); ++i) {
        const HostKind kind = names.kind(slices.name[i], slices.category[i]);
        if (names.reducerPart(slices.name[i]) != ReducerPart::None) {
            thread.reducers.push_back(i);
        }
        if (kind == HostKind::Sync || kind == HostKind::AsyncCopy || kind == HostKind::BlockingCopy) {
            thread.waits.push_back(i);
        } else if (kind == HostKind::Allocator && names.freesDevice(slices.name[i])) {
            thread.frees.push_back(i);
        } else if (kind == HostKind::DataLoader) {
            // In files of whole microseconds a wait may have zero length: no thread waited in it.
            if (!slices.span(i).empty() && (thread.loaders.empty() || slices.start_ns[i] >= loader_end_ns)) {
                thread.loaders.push_back(i);
                loader_end_ns = slices.end_ns[i];
            }
        } else if (kind == HostKind::KernelLaunch) {
            while (next_launch < launches.size() && launches[next_launch].host.slice < i) {
                ++next_launch;
            }
            const bool linked = next_launch < launches.size() && launches[next_launch].host.slice == i;
            // A runtime call may go through a driver call: the device record belongs to one of the two.
            const SliceIndex outer = slices.parent[i];
            const bool inner_call = outer != kNoSlice && isLaunchCall(slices.category[outer]);
            if (!inner_call) {
                thread.launches.push_back(i);
            }
            if (!linked && !inner_call) {
                thread.unlinked.push_back(i);
            } else if (linked && inner_call && !thread.unlinked.empty() && thread.unlinked.back() == outer) {
                thread.unlinked.pop_back();
            }
        }
    }
    return thread;
}

}  // namespace

HostThreads::HostThreads(const RankTrace& rank, const HostNames& names)
    : threads_(rank.tracks.size()), uploads_(graphUploads(rank, names)) {
    const std::span<const Launch> launches = rank.launches.all();
    std::size_t at = 0;
    for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
        const std::size_t first = at;
        while (at < launches.size() && launches[at].host.track.value == t) {
            ++at;
        }
        if (rank.tracks[t].kind == TrackKind::CpuThread) {
            threads_[t] = gather(rank, names, TrackId(t), launches.subspan(first, at - first));
        }
    }
}

std::vector<TrackId> HostThreads::partners(const RankTrace& rank, TrackId track) const {
    std::vector<TrackId> found;
    for (const HostThread& thread : threads_) {
        if (thread.puts_work && thread.track != track &&
            rank.tracks[thread.track.value].process == rank.tracks[track.value].process) {
            found.push_back(thread.track);
        }
    }
    return found;
}

SliceRef HostThreads::reducerAround(const RankTrace& rank, const HostNames& names, SliceRef slice) const {
    // Among nested slices, the last one that starts before it contains it, or is inside the one that does.
    const std::vector<SliceIndex>& reducers = of(slice.track).reducers;
    const auto after = std::ranges::lower_bound(reducers, slice.slice);
    if (after == reducers.begin()) {
        return {};
    }
    const SliceTable& slices = rank.track(slice).slices;
    const TimeNs end_ns = slices.end_ns[slice.slice];
    for (SliceIndex at = *(after - 1); at != kNoSlice; at = slices.parent[at]) {
        if (slices.end_ns[at] >= end_ns && names.reducerPart(slices.name[at]) != ReducerPart::None) {
            return {slice.track, at};
        }
    }
    return {};
}

SliceIndex HostThreads::loaderAt(const RankTrace& rank, TrackId track, TimeNs at_ns) const {
    const SliceTable& slices = rank.tracks[track.value].slices;
    const std::vector<SliceIndex>& loaders = of(track).loaders;
    const auto after = std::ranges::upper_bound(loaders, at_ns, {}, [&](SliceIndex i) { return slices.start_ns[i]; });
    return after != loaders.begin() && at_ns < slices.end_ns[*(after - 1)] ? *(after - 1) : kNoSlice;
}

TimeNs HostThreads::nextLoader(const RankTrace& rank, TrackId track, TimeNs at_ns) const {
    const SliceTable& slices = rank.tracks[track.value].slices;
    const std::vector<SliceIndex>& loaders = of(track).loaders;
    const auto next = std::ranges::upper_bound(loaders, at_ns, {}, [&](SliceIndex i) { return slices.start_ns[i]; });
    return next == loaders.end() ? std::numeric_limits<TimeNs>::max() : slices.start_ns[*next];
}

SliceRef HostThreads::lastWaitBefore(const RankTrace& rank, TrackId track, TimeNs at_ns) const {
    const SliceTable& slices = rank.tracks[track.value].slices;
    const std::vector<SliceIndex>& waits = of(track).waits;
    const auto after = std::ranges::lower_bound(waits, at_ns, {}, [&](SliceIndex i) { return slices.start_ns[i]; });
    return after == waits.begin() ? SliceRef() : SliceRef{track, *(after - 1)};
}

SliceIndex innermostAt(const SliceTable& slices, TimeNs at_ns) {
    const auto next = std::ranges::upper_bound(slices.start_ns, at_ns) - slices.start_ns.begin();
    return next == 0 ? kNoSlice : climbTo(slices, static_cast<SliceIndex>(next - 1), at_ns);
}

}  // namespace rankscope
