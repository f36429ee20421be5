// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gaps/host_activity.h"

#include <algorithm>
#include <limits>
#include <ranges>

namespace rankscope {
namespace {

/// Of threads that nest deeper the chains are worked out beforehand: climbing from each slice would take as long as
/// they are deep.
constexpr std::size_t kDeepRows = 256;

}  // namespace

SliceIndex HostActivities::Chain::telling(SliceIndex otherwise) const {
    if (reducer != kNoSlice) {
        return reducer;
    }
    if (outermost_aten != kNoSlice) {
        return outermost_aten;
    }
    if (innermost_op != kNoSlice) {
        return innermost_op;
    }
    return python != kNoSlice ? python : otherwise;
}

HostActivities::HostActivities(const RankTrace& rank, const HostNames& names, const HostThreads& threads)
    : rank_(rank), names_(names), threads_(threads), chains_(rank.tracks.size()) {
    for (std::size_t t = 0; t < rank.tracks.size(); ++t) {
        const Track& track = rank.tracks[t];
        const bool is_deep = std::ranges::any_of(track.slices.depth, [](auto depth) { return depth >= kDeepRows; });
        if (track.kind == TrackKind::CpuThread && is_deep) {
            std::vector<Chain>& chains = chains_[t];
            chains.reserve(track.slices.size());
            for (SliceIndex i = 0; i < track.slices.size(); ++i) {
                const SliceIndex parent = track.slices.parent[i];
                chains.push_back(chainWith(track.slices, i, parent == kNoSlice ? Chain() : chains[parent]));
            }
        }
    }
}

bool HostActivities::isUserCode(const SliceTable& slices, SliceIndex slice) const {
    return names_.kind(slices.name[slice], slices.category[slice]) == HostKind::Python &&
           names_.isUserCode(slices.name[slice]);
}

HostActivities::Chain HostActivities::chainWith(const SliceTable& slices, SliceIndex slice, const Chain& around) const {
    const HostKind kind = names_.kind(slices.name[slice], slices.category[slice]);
    Chain chain = around;
    if (kind == HostKind::Operator) {
        chain.innermost_op = slice;
        if (chain.outermost_aten == kNoSlice && names_.isAten(slices.name[slice])) {
            chain.outermost_aten = slice;
        }
        if (chain.reducer == kNoSlice && names_.reducerPart(slices.name[slice]) != ReducerPart::None) {
            chain.reducer = slice;
        }
        chain.reads_device = chain.reads_device || names_.readsDevice(slices.name[slice]);
    } else if (kind == HostKind::Python) {
        if (names_.isUserCode(slices.name[slice])) {
            chain = Chain();  // the user's line is what is looked for; what encloses it says less
            chain.in_user_code = true;
        }
        chain.python = chain.python == kNoSlice || !around.in_user_code ? slice : chain.python;
    }
    return chain;
}

HostActivities::Chain HostActivities::chainOf(TrackId track, SliceIndex slice) const {
    const std::vector<Chain>& known = chains_[track.value];
    if (!known.empty()) {
        return slice == kNoSlice ? Chain() : known[slice];
    }
    const SliceTable& slices = rank_.tracks[track.value].slices;
    std::vector<SliceIndex> path;
    for (SliceIndex at = slice; at != kNoSlice; at = slices.parent[at]) {
        path.push_back(at);
        if (isUserCode(slices, at)) {
            break;
        }
    }
    Chain chain;
    for (const SliceIndex at : std::views::reverse(path)) {
        chain = chainWith(slices, at, chain);
    }
    return chain;
}

HostActivity HostActivities::named(Cause cause, TrackId track, SliceIndex label, SliceIndex proof,
                                   SliceIndex python) const {
    HostActivity activity;
    activity.cause = cause;
    activity.label = rank_.tracks[track.value].slices.name[label];
    activity.soft = false;
    for (const SliceIndex slice : {proof, label, python}) {
        activity.evidence.add({track, slice});
    }
    return activity;
}

HostActivity HostActivities::of(TrackId track, SliceIndex innermost) const {
    if (innermost == kNoSlice) {
        return {};
    }
    const SliceTable& slices = rank_.tracks[track.value].slices;
    const HostKind kind = names_.kind(slices.name[innermost], slices.category[innermost]);
    switch (kind) {
        case HostKind::Sync:
        case HostKind::AsyncCopy:
        case HostKind::BlockingCopy: return ofWait({track, innermost});
        case HostKind::Allocator: {
            const Chain chain = chainOf(track, innermost);
            return named(Cause::Allocator, track, innermost, innermost, chain.python);
        }
        case HostKind::KernelLaunch:
        case HostKind::OtherLaunch: return ofLaunch({track, innermost});
        case HostKind::Operator:
        case HostKind::OtherCall: {
            const Chain chain = chainOf(track, innermost);
            return named(Cause::Operator, track, chain.telling(innermost), innermost, chain.python);
        }
        case HostKind::Annotation: {
            // A named range with nothing inside: the name is all that is known of that code, and it does tell where
            // to look, unlike ProfilerStep#, which spans everything.
            HostActivity activity = named(Cause::Operator, track, innermost, innermost, kNoSlice);
            activity.soft = true;
            return activity;
        }
        case HostKind::Python: {
            // PyTorch's own functions are named by the line of the user's that called them.
            const SliceIndex line = chainOf(track, innermost).python;
            HostActivity activity = named(Cause::Python, track, line, line, kNoSlice);
            activity.soft = true;
            return activity;
        }
        case HostKind::DataLoader: return named(Cause::DataLoader, track, innermost, innermost, kNoSlice);
        case HostKind::StepMark:
        case HostKind::Other: return {};
    }
    return {};
}

/// A launch goes by its own name, but for DDP's reducer: what that launches is the price of one of its settings.
HostActivity HostActivities::ofLaunch(SliceRef call) const {
    const SliceRef reducer = reducerAround(call);
    return named(Cause::Launch, call.track, reducer.valid() ? reducer.slice : call.slice, call.slice, kNoSlice);
}

SliceRef HostActivities::codeAround(TrackId track, const TimeSpan& span) const {
    const SliceTable& slices = rank_.tracks[track.value].slices;
    // What holds more than half of the span holds its middle.
    for (SliceIndex at = innermostAt(slices, span.start_ns + span.length() / 2); at != kNoSlice;
         at = slices.parent[at]) {
        if (2 * intersect(slices.span(at), span).length() <= span.length()) {
            continue;
        }
        switch (names_.kind(slices.name[at], slices.category[at])) {
            case HostKind::Operator: return {track, chainOf(track, at).telling(at)};
            case HostKind::Python: return {track, chainOf(track, at).python};
            case HostKind::Annotation: return {track, at};
            default: break;
        }
    }
    return {};
}

SliceRef HostActivities::reducerAround(SliceRef slice) const {
    // Of slices that nest, the last to start before it is around it, or inside the one that is.
    const std::vector<SliceIndex>& reducers = threads_.of(slice.track).reducers;
    const auto after = std::ranges::lower_bound(reducers, slice.slice);
    if (after == reducers.begin()) {
        return {};
    }
    const SliceTable& slices = rank_.track(slice).slices;
    const TimeNs end_ns = slices.end_ns[slice.slice];
    for (SliceIndex at = *(after - 1); at != kNoSlice; at = slices.parent[at]) {
        if (slices.end_ns[at] >= end_ns && names_.reducerPart(slices.name[at]) != ReducerPart::None) {
            return {slice.track, at};
        }
    }
    return {};
}

SliceRef HostActivities::copyOf(SliceRef call) const {
    for (const Launch& launch : rank_.launches.launchedBy(call)) {
        if (rank_.category(launch.device) == Category::Memcpy) {
            return launch.device;
        }
    }
    return {};
}

SliceIndex HostActivities::copyBefore(const SliceTable& slices, SliceIndex sync) const {
    constexpr SliceIndex kSteps = 4;  // between the two stand at most the look-ups of a stream and an event
    const SliceIndex first = sync > kSteps ? sync - kSteps : 0;
    for (SliceIndex i = sync; i-- > first && slices.parent[i] == slices.parent[sync];) {
        const HostKind kind = names_.kind(slices.name[i], slices.category[i]);
        if (kind == HostKind::AsyncCopy || kind == HostKind::BlockingCopy) {
            return i;
        }
    }
    return kNoSlice;
}

HostActivity HostActivities::ofWait(SliceRef call) const {
    const SliceTable& slices = rank_.track(call).slices;
    const HostKind kind = names_.kind(slices.name[call.slice], slices.category[call.slice]);
    const Chain chain = chainOf(call.track, call.slice);
    // The copy behind the wait: the call's own, or that of the copy call just before a sync in the same operator.
    const bool in_operator = slices.parent[call.slice] != kNoSlice;
    const SliceIndex copy_call = kind != HostKind::Sync ? call.slice
                                 : in_operator          ? copyBefore(slices, call.slice)
                                                        : kNoSlice;
    const SliceRef copy = copy_call == kNoSlice ? SliceRef() : copyOf({call.track, copy_call});
    if (kind == HostKind::AsyncCopy) {
        const bool held_host = copy.valid() && names_.isPageable(rank_.track(copy).slices.name[copy.slice]) &&
                               slices.end_ns[call.slice] > rank_.span(copy).start_ns;
        if (!held_host) {
            return ofLaunch(call);
        }
    }
    // A copy to the host is a wait for its value; one to the device is a wait for the transfer.
    const bool to_host = copy.valid() && names_.copiesToHost(rank_.track(copy).slices.name[copy.slice]);
    const bool is_copy = copy_call != kNoSlice && !chain.reads_device && !to_host;
    HostActivity activity = named(is_copy ? Cause::BlockingCopy : Cause::HostSync, call.track,
                                  chain.telling(call.slice), call.slice, chain.python);
    activity.wait = call;
    return activity;
}

SliceIndex HostActivities::loaderAt(TrackId track, TimeNs at_ns) const {
    const SliceTable& slices = rank_.tracks[track.value].slices;
    const std::vector<SliceIndex>& loaders = threads_.of(track).loaders;
    const auto after = std::ranges::upper_bound(loaders, at_ns, {}, [&](SliceIndex i) { return slices.start_ns[i]; });
    return after != loaders.begin() && at_ns < slices.end_ns[*(after - 1)] ? *(after - 1) : kNoSlice;
}

TimeNs HostActivities::nextLoader(TrackId track, TimeNs at_ns) const {
    const SliceTable& slices = rank_.tracks[track.value].slices;
    const std::vector<SliceIndex>& loaders = threads_.of(track).loaders;
    const auto next = std::ranges::upper_bound(loaders, at_ns, {}, [&](SliceIndex i) { return slices.start_ns[i]; });
    return next == loaders.end() ? std::numeric_limits<TimeNs>::max() : slices.start_ns[*next];
}

SliceRef HostActivities::lastWaitBefore(TrackId track, TimeNs at_ns) const {
    const SliceTable& slices = rank_.tracks[track.value].slices;
    const std::vector<SliceIndex>& waits = threads_.of(track).waits;
    const auto after = std::ranges::lower_bound(waits, at_ns, {}, [&](SliceIndex i) { return slices.start_ns[i]; });
    return after == waits.begin() ? SliceRef() : SliceRef{track, *(after - 1)};
}

}  // namespace rankscope
