// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gaps/host_activity.h"

#include <cassert>
#include <ranges>

namespace rankscope {
namespace {

/// The work that a copy call launched.
SliceRef copyOf(const RankTrace& rank, SliceRef call) {
    for (const Launch& launch : rank.launches.launchedBy(call)) {
        if (rank.category(launch.device) == Category::Memcpy) {
            return launch.device;
        }
    }
    return {};
}

/// The copy call just before a sync in the same operator.
SliceIndex copyBefore(const SliceTable& slices, const HostNames& names, SliceIndex sync) {
    constexpr SliceIndex kSteps = 4;  // there are at most look-ups of a stream and an event between the two
    const SliceIndex first = sync > kSteps ? sync - kSteps : 0;
    for (SliceIndex i = sync; i-- > first && slices.parent[i] == slices.parent[sync];) {
        const HostKind kind = names.kind(slices.name[i], slices.category[i]);
        if (kind == HostKind::AsyncCopy || kind == HostKind::BlockingCopy) {
            return i;
        }
    }
    return kNoSlice;
}

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

bool holdsHost(const RankTrace& rank, const HostNames& names, SliceRef call) {
    const SliceTable& slices = rank.track(call).slices;
    if (names.kind(slices.name[call.slice], slices.category[call.slice]) != HostKind::AsyncCopy) {
        return true;
    }
    const SliceRef copy = copyOf(rank, call);
    return copy.valid() && names.isPageable(rank.track(copy).slices.name[copy.slice]) &&
           slices.end_ns[call.slice] > rank.span(copy).start_ns;
}

HostActivities::HostActivities(const RankTrace& rank, const HostNames& names, const HostThreads& threads)
    : rank_(rank), names_(names), threads_(threads), windows_(rank), chains_(rank.tracks.size()) {
    for (std::size_t t = 0; t < rank.tracks.size(); ++t) {
        if (rank.tracks[t].kind == TrackKind::CpuThread) {
            const SliceTable& slices = rank.tracks[t].slices;
            std::vector<Chain>& chains = chains_[t];
            chains.reserve(slices.size());
            for (SliceIndex i = 0; i < slices.size(); ++i) {
                const SliceIndex parent = slices.parent[i];
                chains.push_back(chainWith(slices, i, parent == kNoSlice ? Chain() : chains[parent]));
            }
        }
    }
}

HostActivities::HostActivities(const RankTrace& rank, const HostNames& names, const HostThreads& threads,
                               std::span<const SliceRef> asked)
    : rank_(rank), names_(names), threads_(threads), windows_(rank), chains_(rank.tracks.size()) {
    std::vector<std::vector<bool>> known(rank.tracks.size());
    std::vector<SliceIndex> around;
    for (const SliceRef& one : asked) {
        const SliceTable& slices = rank.track(one).slices;
        std::vector<Chain>& chains = chains_[one.track.value];
        std::vector<bool>& known_here = known[one.track.value];
        chains.resize(slices.size());
        known_here.resize(slices.size());
        around.clear();
        for (SliceIndex at = one.slice; at != kNoSlice && !known_here[at]; at = slices.parent[at]) {
            around.push_back(at);
            known_here[at] = true;
        }
        for (const SliceIndex at : std::views::reverse(around)) {
            const SliceIndex parent = slices.parent[at];
            chains[at] = chainWith(slices, at, parent == kNoSlice ? Chain() : chains[parent]);
        }
    }
}

HostKind HostActivities::kindOf(const SliceTable& slices, SliceIndex slice) const {
    constexpr std::int64_t kTenths = 9;  // of the window
    const HostKind kind = names_.kind(slices.name[slice], slices.category[slice]);
    if (kind != HostKind::Annotation) {
        return kind;
    }
    const TimeSpan span = slices.span(slice);
    const TimeSpan window = windows_.all().empty() ? rank_.window : windows_.all()[windows_.indexOf(span.start_ns)];
    return 10 * span.length() >= kTenths * window.length() ? HostKind::StepMark : kind;
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
            chain = Chain();  // the user's line is wanted; what encloses it says less
            chain.in_user_code = true;
        }
        chain.python = chain.python == kNoSlice || !around.in_user_code ? slice : chain.python;
    }
    return chain;
}

const HostActivities::Chain& HostActivities::chainOf(TrackId track, SliceIndex slice) const {
    assert(slice < chains_[track.value].size());
    return chains_[track.value][slice];
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
    switch (kindOf(slices, innermost)) {
        case HostKind::Sync:
        case HostKind::AsyncCopy:
        case HostKind::BlockingCopy: return ofWait({track, innermost});
        case HostKind::Allocator: {
            const Chain& chain = chainOf(track, innermost);
            return named(Cause::Allocator, track, innermost, innermost, chain.python);
        }
        case HostKind::WarmUp: {
            const Chain& chain = chainOf(track, innermost);
            return named(Cause::WarmUp, track, innermost, innermost, chain.python);
        }
        case HostKind::KernelLaunch:
        case HostKind::OtherLaunch: return ofLaunch({track, innermost});
        case HostKind::Operator:
        case HostKind::OtherCall: {
            const Chain& chain = chainOf(track, innermost);
            return named(Cause::Operator, track, chain.telling(innermost), innermost, chain.python);
        }
        case HostKind::Annotation: {
            // A named range with nothing inside: only the name of that code is known, but unlike ProfilerStep#, which
            // spans everything, it shows where to look.
            HostActivity activity = named(Cause::Operator, track, innermost, innermost, kNoSlice);
            activity.soft = true;
            return activity;
        }
        case HostKind::Python: {
            // PyTorch's own functions are represented by the user's line that called them.
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

/// A launch has its own name, unless it is in DDP's reducer: what that launches is the cost of one of its settings.
HostActivity HostActivities::ofLaunch(SliceRef call) const {
    if (threads_.uploadsGraph(call)) {
        return named(Cause::WarmUp, call.track, call.slice, call.slice, kNoSlice);
    }
    const SliceRef reducer = threads_.reducerAround(rank_, names_, call);
    return named(Cause::Launch, call.track, reducer.valid() ? reducer.slice : call.slice, call.slice, kNoSlice);
}

SliceRef HostActivities::codeAround(TrackId track, const TimeSpan& span) const {
    const SliceTable& slices = rank_.tracks[track.value].slices;
    // A slice that contains more than half of the span contains its middle.
    for (SliceIndex at = innermostAt(slices, span.start_ns + span.length() / 2); at != kNoSlice;
         at = slices.parent[at]) {
        if (2 * intersect(slices.span(at), span).length() <= span.length()) {
            continue;
        }
        switch (kindOf(slices, at)) {
            case HostKind::Operator: return {track, chainOf(track, at).telling(at)};
            case HostKind::Python: return {track, chainOf(track, at).python};
            case HostKind::Annotation: return {track, at};
            default: break;
        }
    }
    return {};
}

HostActivity HostActivities::ofWait(SliceRef call) const {
    if (!holdsHost(rank_, names_, call)) {
        return ofLaunch(call);
    }
    const SliceTable& slices = rank_.track(call).slices;
    const HostKind kind = names_.kind(slices.name[call.slice], slices.category[call.slice]);
    const Chain& chain = chainOf(call.track, call.slice);
    // The copy of the wait: the call's own, or that of the copy call just before a sync in the same operator.
    const bool in_operator = slices.parent[call.slice] != kNoSlice;
    const SliceIndex copy_call = kind != HostKind::Sync ? call.slice
                                 : in_operator          ? copyBefore(slices, names_, call.slice)
                                                        : kNoSlice;
    const SliceRef copy = copy_call == kNoSlice ? SliceRef() : copyOf(rank_, {call.track, copy_call});
    // A copy to the host is a wait for its value; one to the device is a wait for the transfer.
    const bool to_host = copy.valid() && names_.copiesToHost(rank_.track(copy).slices.name[copy.slice]);
    const bool is_copy = copy_call != kNoSlice && !chain.reads_device && !to_host;
    HostActivity activity = named(is_copy ? Cause::BlockingCopy : Cause::HostSync, call.track,
                                  chain.telling(call.slice), call.slice, chain.python);
    activity.wait = call;
    return activity;
}

}  // namespace rankscope
