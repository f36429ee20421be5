// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/locations.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/statistics.h"
#include "core/compare/pairing/example_steps.h"

namespace rankscope {
namespace {

/// Keeps the longest item offered.
class Longest {
  public:
    void offer(DurationNs ns, const Location& place) {
        if (ns > ns_) {
            ns_ = ns;
            place_ = place;
        }
    }
    [[nodiscard]] const Location& place() const { return place_; }

  private:
    DurationNs ns_ = -1;
    Location place_;
};

/// A run, with the steps that examples come from.
struct Source {
    const AnalysedRun& run;
    const ExampleSteps steps;
};

constexpr DurationNs kNotThis = -1;

/// The slice in those steps with the largest `length` (of rank, track, index). A track is tested as a whole first.
template <class OfTrack, class Length>
Location longestSlice(const Source& source, const OfTrack& of_track, const Length& length) {
    Longest longest;
    for (RankPosition r{0}; r < source.run.run->ranks.size(); ++r) {
        const RankFacts& facts = source.run.facts.ranks[r];
        const RankTrace& trace = *source.run.run->ranks[r];
        for (std::uint32_t t = 0; t < trace.tracks.size(); ++t) {
            const SliceTable& slices = trace.tracks[t].slices;
            for (SliceIndex i = 0; of_track(r, trace.tracks[t]) && i < slices.size(); ++i) {
                const DurationNs ns = length(r, t, i);
                if (ns != kNotThis && source.steps.hold(facts, r, slices.start_ns[i])) {
                    longest.offer(ns, SliceLocation{r, {TrackId(t), i}});
                }
            }
        }
    }
    return longest.place();
}

bool isOnDevice(const AnalysedRun& run, RankPosition rank, const Track& track) {
    return track.kind == TrackKind::Stream && track.device == run.facts.ranks[rank].device;
}

WorkClass classOf(const AnalysedRun& run, RankPosition rank, std::uint32_t track, SliceIndex slice) {
    const auto& classes = run.facts.ranks[rank].work_classes[track];
    return slice < classes.size() ? classes[slice] : WorkClass::None;
}

DurationNs lengthOf(const AnalysedRun& run, RankPosition rank, std::uint32_t track, SliceIndex slice) {
    return run.run->ranks[rank]->tracks[track].slices.span(slice).length();
}

Location longestOfClass(const Source& source, WorkClass work) {
    const AnalysedRun& run = source.run;
    return longestSlice(
        source, [&](RankPosition r, const Track& track) { return isOnDevice(run, r, track); },
        [&](RankPosition r, std::uint32_t t, SliceIndex i) {
            return classOf(run, r, t, i) == work ? lengthOf(run, r, t, i) : kNotThis;
        });
}

Location longestOfName(const Source& source, std::string_view name, WorkClass work) {
    const AnalysedRun& run = source.run;
    std::vector<StringId> ids;
    for (const auto& rank : run.run->ranks) {
        ids.push_back(rank->strings.find(name));
    }
    const bool device = work != WorkClass::None;
    const auto of_track = [&](RankPosition r, const Track& track) {
        return ids[r].valid() && (device ? isOnDevice(run, r, track) : track.kind == TrackKind::CpuThread);
    };
    return longestSlice(source, of_track, [&](RankPosition r, std::uint32_t t, SliceIndex i) {
        const bool is = run.run->ranks[r]->tracks[t].slices.name[i] == ids[r];
        return is && (!device || classOf(run, r, t, i) == work) ? lengthOf(run, r, t, i) : kNotThis;
    });
}

Location longestGap(const Source& source, Cause cause) {
    Longest longest;
    for (RankPosition r{0}; r < source.run.facts.ranks.size(); ++r) {
        for (const RankStepPosition s : source.steps.of(r)) {
            const std::vector<Gap>& gaps = source.run.facts.ranks[r].steps[s].gaps;
            for (std::uint32_t g = 0; g < gaps.size(); ++g) {
                DurationNs ns = 0;
                for (const GapPart& part : gaps[g].parts) {
                    ns += part.cause == cause ? part.span.length() : 0;
                }
                if (ns > 0) {
                    longest.offer(ns, GapLocation{r, s, g});
                }
            }
        }
    }
    return longest.place();
}

/// The member of the collective whose device waits longest with nothing else to do.
Location longestWait(const Source& source) {
    const RunFacts& facts = source.run.facts;
    Longest longest;
    for (RankPosition r{0}; r < facts.ranks.size(); ++r) {
        for (const RankStepPosition s : source.steps.of(r)) {
            for (const ExposedWait& wait : facts.ranks[r].steps[s].waits) {
                const CollectiveMember* member = facts.collectives.collectives[wait.collective].memberOf(r);
                if (member != nullptr && !member->slices.empty()) {
                    longest.offer(wait.span.length(), SliceLocation{r, member->slices.front()});
                }
            }
        }
    }
    return longest.place();
}

/// The communication with the longest exposed time.
Location longestExposed(const Source& source) {
    const AnalysedRun& run = source.run;
    return longestSlice(
        source, [&](RankPosition r, const Track& track) { return isOnDevice(run, r, track); },
        [&](RankPosition r, std::uint32_t t, SliceIndex i) {
            const TimeSpan span = run.run->ranks[r]->tracks[t].slices.span(i);
            return classOf(run, r, t, i) == WorkClass::Communication
                       ? run.facts.ranks[r].exposed_communication.lengthIn(span)
                       : kNotThis;
        });
}

Location typicalStep(const Source& source, std::optional<RankPosition> only) {
    Location best;
    DurationNs nearest = 0;
    for (RankPosition r{0}; r < source.run.facts.ranks.size(); ++r) {
        const std::vector<RankStep>& steps = source.run.facts.ranks[r].steps;
        std::vector<DurationNs> lengths;
        for (const RankStepPosition s : source.steps.of(r)) {
            lengths.push_back(steps[s].span.length());
        }
        const DurationNs median = lowerMedian(lengths);
        for (const RankStepPosition s : source.steps.of(r)) {
            const DurationNs off = std::abs(steps[s].span.length() - median);
            if (r == only.value_or(r) && steps[s].mark.valid() && (best.index() == 0 || off < nearest)) {
                nearest = off;
                best = SliceLocation{r, steps[s].mark};
            }
        }
    }
    return best;
}

bool isOf(const AnalysedRun& run, const Collective& collective, const CollectivePair& sort) {
    return collective.kind == sort.kind && collective.bytes == sort.bytes &&
           run.facts.collectives.groups[collective.group].size == sort.group_size;
}

Location longestCollective(const Source& source, const CollectivePair& sort) {
    const RunFacts& facts = source.run.facts;
    Longest longest;
    for (const Collective& collective : facts.collectives.collectives) {
        for (const CollectiveMember& member : collective.members) {
            const bool baseline = source.steps.hold(facts.ranks[member.rank], member.rank, member.span.start_ns);
            if (isOf(source.run, collective, sort) && !member.slices.empty()) {
                longest.offer(baseline ? member.span.length() : 0, SliceLocation{member.rank, member.slices.front()});
            }
        }
    }
    return longest.place();
}

/// The gap that overlaps longest with what the slice proves.
Location gapProvenBy(const AnalysedRun& run, RankPosition rank, SliceRef slice) {
    Longest longest;
    const std::vector<RankStep>& steps = run.facts.ranks[rank].steps;
    for (RankStepPosition s{0}; s < steps.size(); ++s) {
        for (std::uint32_t g = 0; g < steps[s].gaps.size(); ++g) {
            for (const GapPart& part : steps[s].gaps[g].parts) {
                if (std::ranges::find(part.evidence, slice) != part.evidence.end()) {
                    longest.offer(part.span.length(), GapLocation{rank, s, g});
                }
            }
        }
    }
    return longest.place();
}

/// The longest time in which a rank was late, in the steps that examples come from.
Location longestLateness(const Source& source, std::uint32_t finding) {
    Longest longest;
    const std::vector<LateWindow>& late = source.run.diagnosis.findings[finding].late;
    for (std::uint32_t w = 0; w < late.size(); ++w) {
        const std::vector<RankStep>& steps = source.run.facts.ranks[late[w].rank].steps;
        const bool baseline = std::ranges::any_of(source.steps.of(late[w].rank),
                                                  [&](RankStepPosition s) { return steps[s].index == late[w].step; });
        longest.offer(baseline ? late[w].span.length() : 0, LateLocation{late[w].rank, finding, w});
    }
    return longest.place();
}

/// For a straggler, the place where it was late. Else its first evidence in a step that examples come from, else its
/// first evidence.
Location evidenceOf(const Source& source, std::optional<std::uint32_t> finding) {
    if (!finding) {
        return {};
    }
    if (const Location late = longestLateness(source, *finding); late.index() != 0) {
        return late;
    }
    const std::vector<Evidence>& all = source.run.diagnosis.findings[*finding].evidence;
    const auto is_baseline = [&](const Evidence& one) {
        const std::vector<RankStep>& steps = source.run.facts.ranks[one.rank].steps;
        return one.slice.valid() && std::ranges::any_of(source.steps.of(one.rank),
                                                        [&](RankStepPosition s) { return steps[s].index == one.step; });
    };
    auto chosen = std::ranges::find_if(all, is_baseline);
    chosen = chosen == all.end() ? all.begin() : chosen;
    if (chosen == all.end() || !chosen->slice.valid()) {
        return {};
    }
    const Location gap = gapProvenBy(source.run, chosen->rank, chosen->slice);
    return gap.index() != 0 ? gap : Location(SliceLocation{chosen->rank, chosen->slice});
}

/// The counterpart of a place, or why there is none. `counterparts` lead from `here` to `there`.
std::pair<Location, std::string> across(const AnalysedRun& here, const AnalysedRun& there, Counterparts& counterparts,
                                        const Location& place) {
    if (const auto* slice = std::get_if<SliceLocation>(&place)) {
        auto found = counterparts.ofSlice(*slice);
        return {found.place ? Location(*found.place) : Location(), std::move(found.missing)};
    }
    if (const auto* gap = std::get_if<GapLocation>(&place)) {
        auto found = counterparts.ofGap(*gap);
        return {found.place ? Location(*found.place) : Location(), std::move(found.missing)};
    }
    if (const auto* late = std::get_if<LateLocation>(&place)) {
        StragglerComparison found = compareStragglers(here, there, counterparts, *late);
        if (found.b && found.b->late) {
            return {*found.b->late, {}};
        }
        return {Location(), found.b ? "It delays no other rank there." : std::move(found.missing)};
    }
    return {};
}

}  // namespace

Location communicationIn(const AnalysedRun& run, RankPosition rank, const TimeSpan& span) {
    Longest longest;
    for (const TrackId track : run.facts.ranks[rank].communication_tracks) {
        const SliceTable& slices = run.run->ranks[rank]->tracks[track.value].slices;
        const auto after = std::ranges::lower_bound(slices.start_ns, span.end_ns);
        // Work of one stream hardly overlaps: the first slice that ends before the stretch ends the search.
        for (auto i = static_cast<SliceIndex>(after - slices.start_ns.begin());
             i-- > 0 && slices.end_ns[i] > span.start_ns;) {
            if (classOf(run, rank, track.value, i) == WorkClass::Communication) {
                longest.offer(intersect(slices.span(i), span).length(), SliceLocation{rank, {track, i}});
            }
        }
    }
    return longest.place();
}

template <class Example>
LocationPair Locations::both(const Example& example) {
    const Source source_a{a_, ExampleSteps(a_, b_, to_b_)};
    const Source source_b{b_, ExampleSteps(b_, a_, to_a_)};
    LocationPair pair = fromA(example(source_a));
    if (pair.a.index() == 0) {
        pair = fromB(example(source_b));
    } else if (pair.b.index() == 0 && !std::holds_alternative<GapLocation>(pair.a)) {
        pair.b = example(source_b);  // not for a gap: it is gone in B, and the reader should see that
    }
    if (pair.a.index() == 0 && pair.b.index() == 0) {
        pair.missing = "Neither run has an example in a complete, steady-state step.";
    }
    return pair;
}

LocationPair Locations::ofPart(const BreakdownRow& row) {
    return both([&row](const Source& source) {
        switch (row.part) {
            case StepPart::Compute: return typicalStep(source, {});
            case StepPart::ExposedWait: return longestWait(source);
            case StepPart::ExposedTransfer:
            case StepPart::ExposedUnsplit: return longestExposed(source);
            case StepPart::ExposedCopy: return longestOfClass(source, WorkClass::Copy);
            case StepPart::Idle: return longestGap(source, row.cause);
        }
        return Location();
    });
}

LocationPair Locations::ofFinding(const FindingPair& pair) {
    LocationPair places = fromA(evidenceOf({a_, ExampleSteps(a_, b_, to_b_)}, pair.a));
    const Location in_b = evidenceOf({b_, ExampleSteps(b_, a_, to_a_)}, pair.b);
    if (places.a.index() == 0) {
        return fromB(in_b);
    }
    places.b = in_b.index() != 0 ? in_b : places.b;
    return places;
}

LocationPair Locations::ofName(std::string_view name, WorkClass work) {
    return both([&](const Source& source) { return longestOfName(source, name, work); });
}

LocationPair Locations::ofCollective(const CollectivePair& pair) {
    return both([&pair](const Source& source) { return longestCollective(source, pair); });
}

LocationPair Locations::ofRank(const RankPair& pair) {
    if (!pair.a) {
        return fromB(typicalStep({b_, ExampleSteps(b_, a_, to_a_)}, pair.b));
    }
    return fromA(typicalStep({a_, ExampleSteps(a_, b_, to_b_)}, pair.a));
}

LocationPair Locations::fromA(const Location& place) {
    auto [in_b, missing] = across(a_, b_, to_b_, place);
    return {place, in_b, std::move(missing)};
}

LocationPair Locations::fromB(const Location& place) {
    auto [in_a, missing] = across(b_, a_, to_a_, place);
    return {in_a, place, std::move(missing)};
}

}  // namespace rankscope
