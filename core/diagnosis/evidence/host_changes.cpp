// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/host_changes.h"

#include <algorithm>
#include <utility>

#include "core/diagnosis/evidence/evidence.h"

namespace rankscope {
namespace {

std::vector<TimeSpan> spansOf(const RuleContext& context, RankPosition rank, const LedgerFilter& owned) {
    std::vector<TimeSpan> spans;
    forEachPart(context, rank, owned,
                [&](const RankStep& /*step*/, const Gap& /*gap*/, const GapPart& part) { spans.push_back(part.span); });
    return spans;
}

/// The outermost slices of the host threads that `wanted` picks.
std::vector<TimeSpan> outermost(const RankContext& work, const SliceFilter& wanted) {
    std::vector<TimeSpan> spans;
    for (const HostThread& thread : work.threads.all()) {
        if (!thread.track.valid()) {
            continue;
        }
        const SliceTable& slices = work.trace->tracks[thread.track.value].slices;
        TimeNs taken_ns = work.trace->window.start_ns;
        for (SliceIndex i = 0; i < slices.size(); ++i) {
            if (slices.start_ns[i] >= taken_ns && wanted(slices.name[i], slices.category[i])) {
                spans.push_back(slices.span(i));
                taken_ns = slices.end_ns[i];
            }
        }
    }
    return spans;
}

}  // namespace

std::vector<HostChange> without(const IntervalSet& spans) {
    std::vector<HostChange> changes;
    for (const TimeSpan& span : spans.spans()) {
        changes.push_back({span, 0});
    }
    return changes;
}

std::vector<HostChange> withoutParts(const RuleContext& context, RankPosition rank, const LedgerFilter& owned) {
    return without(IntervalSet::unionOf(spansOf(context, rank, owned)));
}

std::vector<HostChange> withoutSlices(const RankContext& work, const SliceFilter& wanted) {
    return without(IntervalSet::unionOf(outermost(work, wanted)));
}

IntervalSet hostTimeOf(const RuleContext& context, RankPosition rank, const LedgerFilter& owned,
                       const SliceFilter& wanted) {
    const RankContext& work = context.work[rank];
    std::vector<TimeSpan> still;
    for (const HostThread& thread : work.threads.all()) {
        for (const SliceIndex i : thread.loaders) {
            still.push_back(work.trace->span({thread.track, i}));
        }
    }
    for (const HostStall& stall : context.facts.ranks[rank].stalls) {
        still.push_back(stall.span);
    }
    // Each list is mostly sorted: uniting them is faster than sorting them.
    return IntervalSet::unionOf(spansOf(context, rank, owned))
        .unite(IntervalSet::unionOf(outermost(work, wanted)))
        .unite(IntervalSet::unionOf(std::move(still)));
}

std::vector<TimeSpan> launchesOfLongKernels(const RankContext& work) {
    struct Launched {
        TimeSpan call;
        bool is_long = false;
    };
    std::vector<Launched> launches;
    for (const DeviceEvent& event : work.device.events) {
        if (event.launch.valid()) {
            launches.push_back({event.call, event.span.length() >= event.call.length()});
        }
    }
    std::ranges::sort(launches, {}, [](const Launched& launched) { return launched.call.start_ns; });
    std::vector<TimeSpan> spans;
    TimeNs before_ns = work.trace->window.start_ns;
    for (const Launched& launched : launches) {
        if (launched.is_long && launched.call.end_ns > before_ns) {
            spans.push_back({before_ns, launched.call.end_ns});
        }
        before_ns = std::max(before_ns, launched.call.end_ns);
    }
    return spans;
}

}  // namespace rankscope
