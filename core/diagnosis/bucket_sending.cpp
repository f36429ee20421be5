// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/bucket_sending.h"

#include <algorithm>
#include <string_view>

#include "core/analysis/collectives/used_map.h"

namespace rankscope {
namespace {

SliceRef operatorOf(const RankContext& work, const SentBucket& bucket) {
    const SliceRef op = collectiveAround(work, bucket.launch);
    return op.valid() ? op : bucket.launch;
}

/// The first slice of the thread that begins after `slice` has ended.
SliceIndex firstAfter(const SliceTable& slices, SliceIndex slice) {
    SliceIndex next = slice + 1;
    while (next < slices.size() && slices.start_ns[next] < slices.end_ns[slice]) {
        ++next;
    }
    return next;
}

/// The operators of the buckets that are gone.
void addOperators(const RankContext& work, const std::vector<SentBucket>& sent, std::vector<HostChange>& changes) {
    SliceRef before;
    for (const SentBucket& bucket : sent) {
        const SliceRef op = operatorOf(work, bucket);
        const SliceTable& slices = work.trace->track(op).slices;
        TimeSpan span = slices.span(op.slice);
        if (before.valid() && before.track == op.track && firstAfter(slices, before.slice) == op.slice) {
            span.start_ns = slices.end_ns[before.slice];
        }
        if (bucket.gone) {
            changes.push_back({span, 0});
        }
        before = op;
    }
}

/// The next `count` calls after `slice` on its thread that make a stream wait and belong to no collective; fewer where
/// a collective or the end of the thread comes first.
std::vector<SliceIndex> streamWaitsAfter(const RankContext& work, SliceRef slice, std::size_t count) {
    const SliceTable& slices = work.trace->track(slice).slices;
    std::vector<SliceIndex> waits;
    for (SliceIndex i = firstAfter(slices, slice.slice); i < slices.size() && waits.size() < count; ++i) {
        if (!slices.name[i].valid() || collectiveAround(work, {slice.track, i}).valid()) {
            continue;
        }
        const std::string_view name = work.trace->strings.view(slices.name[i]);
        if (name.starts_with("ProfilerStep#")) {
            break;
        }
        if (name.find("StreamWaitEvent") != std::string_view::npos) {
            waits.push_back(i);
        }
    }
    return waits;
}

/// The waits for the buckets of one step, from `first` on up to `last`.
void addWaits(const RankContext& work, std::vector<SentBucket>::const_iterator first,
              std::vector<SentBucket>::const_iterator last, std::vector<HostChange>& changes) {
    const auto count = static_cast<std::size_t>(last - first);
    const SliceRef op = operatorOf(work, *(last - 1));
    const std::vector<SliceIndex> waits = streamWaitsAfter(work, op, count);
    if (waits.size() != count) {
        return;
    }
    const SliceTable& slices = work.trace->track(op).slices;
    for (std::size_t i = 0; i < count; ++i) {
        if (first[static_cast<std::ptrdiff_t>(i)].gone) {
            const bool in_a_row = i + 1 < count && waits[i + 1] == waits[i] + 1;
            const TimeNs end_ns = in_a_row ? slices.start_ns[waits[i + 1]] : slices.end_ns[waits[i]];
            changes.push_back({{slices.start_ns[waits[i]], end_ns}, 0});
        }
    }
}

}  // namespace

std::vector<HostChange> withoutSending(const RankContext& work, const std::vector<SentBucket>& sent) {
    std::vector<HostChange> changes;
    addOperators(work, sent, changes);
    for (auto first = sent.begin(); first != sent.end();) {
        const auto last = std::find_if(first, sent.end(), [&](const SentBucket& b) { return b.step != first->step; });
        addWaits(work, first, last, changes);
        first = last;
    }
    return changes;
}

}  // namespace rankscope
