// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <vector>

#include "core/analysis/rank_context.h"
#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/trace/slice_table.h"

namespace rankscope {

/// A stretch of a thread with one innermost slice, and its place: between two calls of that slice, or between two calls
/// of its caller if it called nothing. Before the first and after the last call, the neighbour is the caller. The place
/// does not depend on rounded times; the shortest stretches have zero length.
struct HostPiece {
    SliceRef before;
    SliceRef slice;  ///< a slice of the thread; its index is kNoSlice if nothing is recorded
    SliceRef after;
    TimeSpan span;
};

/// The pieces of a thread that are longer than `least_ns`, by time and disjoint, without the first and the last piece
/// of the thread, which are cut. O(slices), plus O(depth + log n) per piece.
[[nodiscard]] std::vector<HostPiece> longPieces(const SliceTable& slices, TrackId track, DurationNs least_ns);

/// Calls visit(piece) for all pieces between and inside the slices of a thread, also those of zero length. Linear.
template <class Visit>
void forEachPiece(const SliceTable& slices, TrackId track, const Visit& visit);

/// The outermost slices of the threads that launch work for the thread that marks the steps. While that thread records
/// nothing of its own, it may wait for them, as it does for the backward.
class HostPartners {
  public:
    explicit HostPartners(const RankContext& work);

    /// Whether it is one of these threads.
    [[nodiscard]] bool has(TrackId track) const { return std::ranges::find(tracks_, track) != tracks_.end(); }

    /// Calls visit(piece) for the parts of a piece in which none of these threads is active. O(log n + parts).
    template <class Visit>
    void withoutTheirs(HostPiece piece, const Visit& visit) const;

  private:
    struct Active {
        SliceRef slice;
        TimeSpan span;
    };
    std::vector<TrackId> tracks_;
    std::vector<Active> active_;  // sorted by start and by end
};

template <class Visit>
void forEachPiece(const SliceTable& slices, TrackId track, const Visit& visit) {
    std::vector<SliceIndex> last_call(slices.size(), kNoSlice);
    std::vector<SliceIndex> called_before(slices.size(), kNoSlice);
    std::vector<SliceIndex> called_after(slices.size(), kNoSlice);
    const auto visit_between = [&](SliceIndex before, SliceIndex slice, SliceIndex after, TimeNs from_ns,
                                   TimeNs to_ns) {
        visit(HostPiece{{track, before}, {track, slice}, {track, after}, {from_ns, std::max(from_ns, to_ns)}});
    };
    SliceIndex last_root = kNoSlice;
    for (SliceIndex i = 0; i < slices.size(); ++i) {
        const SliceIndex caller = slices.parent[i];
        SliceIndex& last = caller == kNoSlice ? last_root : last_call[caller];
        if (last != kNoSlice) {
            visit_between(last, caller, i, slices.end_ns[last], slices.start_ns[i]);
            called_before[i] = last;
            called_after[last] = i;
        } else if (caller != kNoSlice) {
            visit_between(slices.parent[caller], caller, i, slices.start_ns[caller], slices.start_ns[i]);
        }
        last = i;
    }
    for (SliceIndex i = 0; i < slices.size(); ++i) {
        const SliceIndex caller = slices.parent[i];
        if (const SliceIndex last = last_call[i]; last != kNoSlice) {
            visit_between(last, i, caller, slices.end_ns[last], slices.end_ns[i]);
        } else {
            const auto or_caller = [caller](SliceIndex slice) { return slice == kNoSlice ? caller : slice; };
            visit_between(or_caller(called_before[i]), i, or_caller(called_after[i]), slices.start_ns[i],
                          slices.end_ns[i]);
        }
    }
}

template <class Visit>
void HostPartners::withoutTheirs(HostPiece piece, const Visit& visit) const {
    auto next = std::ranges::upper_bound(active_, piece.span.start_ns, {},
                                         [](const Active& active) { return active.span.end_ns; });
    if (piece.span.empty()) {
        if (next == active_.end() || next->span.start_ns > piece.span.start_ns) {
            visit(piece);
        }
        return;
    }
    const TimeNs end_ns = piece.span.end_ns;
    const SliceRef after = piece.after;
    for (; next != active_.end() && next->span.start_ns < end_ns; ++next) {
        piece.span.end_ns = next->span.start_ns;
        piece.after = next->slice;
        if (!piece.span.empty()) {
            visit(piece);
        }
        piece.before = next->slice;
        piece.span.start_ns = std::max(piece.span.start_ns, next->span.end_ns);
    }
    piece.span.end_ns = end_ns;
    piece.after = after;
    if (!piece.span.empty()) {
        visit(piece);
    }
}

}  // namespace rankscope
