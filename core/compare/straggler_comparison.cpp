// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/straggler_comparison.h"

#include <algorithm>

#include "core/analysis/collectives/segment_times.h"

namespace rankscope {
namespace {

std::optional<LateLocation> lateIn(const AnalysedRun& run, RankPosition rank, const TimeSpan& span) {
    for (std::uint32_t f = 0; f < run.diagnosis.findings.size(); ++f) {
        const std::vector<LateWindow>& late = run.diagnosis.findings[f].late;
        const auto at =
            std::ranges::find_if(late, [&](const LateWindow& w) { return w.rank == rank && w.span == span; });
        if (at != late.end()) {
            return LateLocation{rank, f, static_cast<std::uint32_t>(at - late.begin())};
        }
    }
    return std::nullopt;
}

StragglerSpan stretchOf(const AnalysedRun& run, const StragglerSegment& segment, RankPosition rank) {
    StragglerSpan out;
    out.rank = rank;
    out.span = segment.windowOf(rank);
    out.segment_ns = segment.segment_ns[*segment.placeOf(rank)];
    out.median_ns = medianSegmentTime(segment, {rank});
    out.parts = stretchParts(run.facts.ranks[rank], out.span);
    out.late = lateIn(run, rank, out.span);
    const CollectiveMember* member = run.facts.collectives.collectives[segment.collective].memberOf(rank);
    if (member != nullptr && !member->slices.empty()) {
        out.collective = member->slices.front();
    }
    return out;
}

/// The segment that ends with a collective; nullptr if no rank waits in it.
const StragglerSegment* segmentBefore(const AnalysedRun& run, CollectivePosition collective, RankPosition rank) {
    const std::vector<StragglerSegment>& all = run.facts.stragglers.segments;
    const auto at = std::ranges::find(all, collective, &StragglerSegment::collective);
    return at == all.end() || at->windowOf(rank).empty() ? nullptr : &*at;
}

}  // namespace

StragglerComparison compareStragglers(const AnalysedRun& a, const AnalysedRun& b, Counterparts& counterparts,
                                      LateLocation late_of_a) {
    StragglerComparison out;
    const LateWindow& late = a.diagnosis.findings[late_of_a.finding].late[late_of_a.window];
    const std::vector<StragglerSegment>& segments = a.facts.stragglers.segments;
    const auto segment = std::ranges::find_if(
        segments, [&](const StragglerSegment& one) { return one.windowOf(late.rank) == late.span; });
    if (segment == segments.end()) {
        out.missing = "The collective for which it arrived last is unknown.";
        return out;
    }
    out.a = stretchOf(a, *segment, late.rank);
    const std::optional<RankPosition> rank_b = counterparts.rankOf(late.rank);
    const Counterpart<CollectivePosition> collective = counterparts.ofCollective(segment->collective);
    if (!rank_b) {
        out.missing = "The rank was not recorded there.";
    } else if (!collective.place) {
        out.missing = "The collective for which it arrived last is missing: " + collective.missing;
    } else if (const StragglerSegment* there = segmentBefore(b, *collective.place, *rank_b)) {
        out.b = stretchOf(b, *there, *rank_b);
    } else {
        out.missing = "In the collective for which it arrived last, no rank waits there.";
    }
    return out;
}

}  // namespace rankscope
