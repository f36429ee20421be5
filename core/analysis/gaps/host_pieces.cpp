// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gaps/host_pieces.h"

#include "core/analysis/gaps/host_threads.h"

namespace rankscope {
namespace {

/// The call of `caller` that is `slice` or contains it; kNoSlice if there is none. As `caller`, kNoSlice stands for the
/// top level.
SliceIndex calledBy(const SliceTable& slices, SliceIndex caller, SliceIndex slice) {
    while (slice != kNoSlice && slices.parent[slice] != caller) {
        slice = slices.parent[slice];
    }
    return slice;
}

HostPiece placed(const SliceTable& slices, TrackId track, SliceIndex inner, const TimeSpan& span) {
    const auto started =
        static_cast<SliceIndex>(std::ranges::upper_bound(slices.start_ns, span.start_ns) - slices.start_ns.begin());
    const auto next =
        static_cast<SliceIndex>(std::ranges::lower_bound(slices.start_ns, span.end_ns) - slices.start_ns.begin());
    const auto none_at_end = [&](SliceIndex at) { return at < slices.size() ? at : kNoSlice; };
    const SliceIndex caller = inner == kNoSlice ? kNoSlice : slices.parent[inner];
    SliceIndex before = calledBy(slices, inner, started == 0 ? kNoSlice : started - 1);
    SliceIndex after = calledBy(slices, inner, none_at_end(next));
    if (inner != kNoSlice && before == kNoSlice && after == kNoSlice) {
        before = calledBy(slices, caller, inner == 0 ? kNoSlice : inner - 1);
        after = calledBy(slices, caller, none_at_end(next));
    }
    const auto or_caller = [&](SliceIndex slice) { return SliceRef{track, slice == kNoSlice ? caller : slice}; };
    return {or_caller(before), {track, inner}, or_caller(after), span};
}

}  // namespace

std::vector<HostPiece> longPieces(const SliceTable& slices, TrackId track, DurationNs least_ns) {
    std::vector<HostPiece> pieces;
    if (slices.size() == 0) {
        return pieces;
    }
    const TimeSpan all{slices.start_ns.front(), std::ranges::max(slices.end_ns)};
    forEachInnermost(slices, all, [&](SliceIndex inner, const TimeSpan& span) {
        const bool cut = span.start_ns == all.start_ns || span.end_ns == all.end_ns;
        if (!cut && span.length() > least_ns) {
            pieces.push_back(placed(slices, track, inner, span));
        }
    });
    return pieces;
}

HostPartners::HostPartners(const RankContext& work) {
    if (!work.marks.thread.valid()) {
        return;
    }
    tracks_ = work.threads.partners(*work.trace, work.marks.thread);
    std::vector<Active> all;
    for (const TrackId track : tracks_) {
        const SliceTable& slices = work.trace->tracks[track.value].slices;
        for (SliceIndex i = 0; i < slices.size(); ++i) {
            if (slices.parent[i] == kNoSlice && slices.end_ns[i] > slices.start_ns[i]) {
                all.push_back({{track, i}, slices.span(i)});
            }
        }
    }
    std::ranges::stable_sort(all, {}, [](const Active& active) { return active.span.start_ns; });
    for (const Active& active : all) {
        // A slice inside another one's time adds nothing.
        if (active_.empty() || active.span.end_ns > active_.back().span.end_ns) {
            active_.push_back(active);
        }
    }
}

}  // namespace rankscope
