// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/pairing/gap_counterpart.h"

#include <algorithm>
#include <map>
#include <utility>

namespace rankscope {
namespace {

/// How far back to look for a predecessor with a counterpart: kernels may have been added or removed at the gap.
constexpr std::size_t kMostTries = 40;

/// Device work that ended by `until_ns`, latest end first, up to kMostTries.
std::vector<SliceRef> lastWorkBefore(const AnalysedRun& run, RankPosition rank, TimeNs until_ns) {
    const RankTrace& trace = *run.run->ranks[rank];
    std::vector<std::pair<TimeNs, SliceRef>> found;
    for (std::uint32_t t = 0; t < trace.tracks.size(); ++t) {
        const Track& track = trace.tracks[t];
        if (track.kind != TrackKind::Stream || track.device != run.facts.ranks[rank].device) {
            continue;
        }
        const auto after = std::ranges::lower_bound(track.slices.start_ns, until_ns);
        auto i = static_cast<SliceIndex>(after - track.slices.start_ns.begin());
        for (std::size_t tries = 0; i > 0 && tries < kMostTries; ++tries) {
            --i;
            const bool is_work = i < run.facts.ranks[rank].work_classes[t].size() &&
                                 run.facts.ranks[rank].work_classes[t][i] != WorkClass::None;
            if (is_work && track.slices.end_ns[i] <= until_ns) {
                found.emplace_back(track.slices.end_ns[i], SliceRef{TrackId(t), i});
            }
        }
    }
    std::ranges::sort(found, std::ranges::greater());
    found.resize(std::min(found.size(), kMostTries));
    std::vector<SliceRef> out;
    for (const auto& [end_ns, slice] : found) {
        out.push_back(slice);
    }
    return out;
}

void addWork(const RankTrace& trace, const RankFacts& facts, GapCounterpart& place) {
    std::map<std::pair<std::string_view, WorkClass>, WorkShare> by_name;
    for (std::uint32_t t = 0; t < trace.tracks.size(); ++t) {
        const Track& track = trace.tracks[t];
        const auto& classes = facts.work_classes[t];
        if (track.kind != TrackKind::Stream || track.device != facts.device) {
            continue;
        }
        for (SliceIndex i = 0; i < track.slices.size() && i < classes.size(); ++i) {
            const TimeSpan inside = intersect(track.slices.span(i), place.span);
            if (classes[i] != WorkClass::None && !inside.empty()) {
                const std::string_view name = trace.strings.view(track.slices.name[i]);
                WorkShare& share = by_name[{name, classes[i]}];
                share.name = name;
                share.work = classes[i];
                share.ns += inside.length();
                ++share.calls;
            }
        }
    }
    for (const auto& [key, share] : by_name) {
        place.work.push_back(share);
    }
    std::ranges::stable_sort(place.work, std::ranges::greater(), &WorkShare::ns);
}

}  // namespace

GapCounterpart gapCounterpart(const AnalysedRun& a, const AnalysedRun& b, Counterparts& counterparts,
                              GapLocation gap_of_a) {
    GapCounterpart place;
    const Gap& gap = a.facts.ranks[gap_of_a.rank].steps[gap_of_a.step].gaps[gap_of_a.gap];
    if (!gap.releasing.valid()) {
        place.missing = "No GPU work ends this gap, so its place in the other run is unknown.";
        return place;
    }
    const Counterpart<SliceLocation> after = counterparts.ofSlice({gap_of_a.rank, gap.releasing});
    if (!after.place) {
        place.missing = "The work that ends it is missing: " + after.missing;
        return place;
    }
    place.rank = after.place->rank;
    place.after = after.place->slice;
    const RankTrace& trace = *b.run->ranks[place.rank];
    for (const SliceRef slice : lastWorkBefore(a, gap_of_a.rank, gap.span.start_ns)) {
        const Counterpart<SliceLocation> before = counterparts.ofSlice({gap_of_a.rank, slice});
        if (before.place && trace.span(before.place->slice).end_ns <= trace.span(place.after).start_ns) {
            place.before = before.place->slice;
            break;
        }
    }
    if (!place.before.valid()) {
        place.missing = "Nothing that ran before the gap has a counterpart, so its start there is unknown.";
        return place;
    }
    place.span = {trace.span(place.before).end_ns, trace.span(place.after).start_ns};
    place.parts = stretchParts(b.facts.ranks[place.rank], place.span);
    addWork(trace, b.facts.ranks[place.rank], place);
    return place;
}

}  // namespace rankscope
