// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <vector>

#include "core/analysis/gaps/host_names.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// What the analyses need to know about one host thread, gathered in one pass over its slices.
struct HostThread {
    TrackId track;
    std::vector<SliceIndex> loaders;   ///< outermost DataLoader waits that are not empty, by start, disjoint
    std::vector<SliceIndex> waits;     ///< calls that may wait for the device: syncs and copies, by start
    std::vector<SliceIndex> frees;     ///< calls that return memory to the device, by start
    std::vector<SliceIndex> unlinked;  ///< kernel launches without a device record, by start
    std::vector<SliceIndex> launches;  ///< kernel launches, by start
    std::vector<SliceIndex> reducers;  ///< parts of DDP's reducer that have their own price, by start
    bool puts_work = false;            ///< at least one of its calls launched device work
};

/// The calls that launch a graph for the first time in the recording, and take so long that they upload it: over 1 ms,
/// and over ten times the median of all launches of graphs that were launched before. Graphs are recognised by the
/// names of the work that they launch. Sorted. None if no graph is launched again: then nothing shows how long a launch
/// usually takes. O(calls + their work).
[[nodiscard]] std::vector<SliceRef> graphUploads(const RankTrace& rank, const HostNames& names);

/// The host threads of a rank: one entry per track, empty for tracks that are not host threads. `rank` and `names` in
/// calls must be those given to the constructor.
class HostThreads {
  public:
    HostThreads(const RankTrace& rank, const HostNames& names);

    /// The host thread of a track of the rank; an empty one if the track is a stream or anything else.
    [[nodiscard]] const HostThread& of(TrackId track) const { return threads_[track.value]; }
    /// One entry per track, as RankTrace::tracks; empty for tracks that are not host threads.
    [[nodiscard]] const std::vector<HostThread>& all() const { return threads_; }
    /// Whether a call launches a graph for the first time, and uploads it (graphUploads()). O(log n).
    [[nodiscard]] bool uploadsGraph(SliceRef call) const { return std::ranges::binary_search(uploads_, call); }
    /// The threads of the same process that launch device work, without `track`.
    [[nodiscard]] std::vector<TrackId> partners(const RankTrace& rank, TrackId track) const;

    /// The range of DDP's reducer around a slice, if it is in one that has its own price; else an invalid ref.
    [[nodiscard]] SliceRef reducerAround(const RankTrace& rank, const HostNames& names, SliceRef slice) const;
    /// The DataLoader wait of `track` that contains the instant, or kNoSlice.
    [[nodiscard]] SliceIndex loaderAt(const RankTrace& rank, TrackId track, TimeNs at_ns) const;
    /// When the next DataLoader wait of `track` starts after the instant, never at it, so that a loop over them always
    /// advances. The end of time if there is none.
    [[nodiscard]] TimeNs nextLoader(const RankTrace& rank, TrackId track, TimeNs at_ns) const;
    /// The last call of `track` that starts before the instant and may wait for the device, or an invalid ref.
    [[nodiscard]] SliceRef lastWaitBefore(const RankTrace& rank, TrackId track, TimeNs at_ns) const;

  private:
    std::vector<HostThread> threads_;
    std::vector<SliceRef> uploads_;  // sorted
};

/// The innermost slice of a thread at an instant, or kNoSlice. O(log n + depth).
[[nodiscard]] SliceIndex innermostAt(const SliceTable& slices, TimeNs at_ns);

/// Calls visit(slice, span) for the parts of `window` in order, each with the innermost slice of the thread there
/// (kNoSlice if nothing was recorded). The parts fill the window. O(log n + slices in the window).
template <class Visit>
void forEachInnermost(const SliceTable& slices, TimeSpan window, Visit visit);

/// The nearest slice that contains `t`, among `slice` and the ones around it.
[[nodiscard]] inline SliceIndex climbTo(const SliceTable& slices, SliceIndex slice, TimeNs t) {
    while (slice != kNoSlice && slices.end_ns[slice] <= t) {
        slice = slices.parent[slice];
    }
    return slice;
}

template <class Visit>
void forEachInnermost(const SliceTable& slices, TimeSpan window, Visit visit) {
    if (window.empty()) {
        return;
    }
    TimeNs at = window.start_ns;
    auto next = static_cast<SliceIndex>(std::ranges::upper_bound(slices.start_ns, at) - slices.start_ns.begin());
    SliceIndex inner = next == 0 ? kNoSlice : climbTo(slices, next - 1, at);
    while (at < window.end_ns) {
        TimeNs until = window.end_ns;
        if (inner != kNoSlice) {
            until = std::min(until, slices.end_ns[inner]);
        }
        if (next < slices.size()) {
            until = std::min(until, slices.start_ns[next]);
        }
        assert(until > at);
        visit(inner, TimeSpan{at, until});
        at = until;
        while (next < slices.size() && slices.start_ns[next] <= at) {
            // A slice of length zero, or one next to the current one, ends before it could be innermost.
            inner = slices.end_ns[next] > at ? next : inner;
            ++next;
        }
        inner = climbTo(slices, inner, at);
    }
}

}  // namespace rankscope
