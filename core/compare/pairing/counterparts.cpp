// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/pairing/counterparts.h"

#include <fmt/format.h>
#include <algorithm>

#include "core/base/format.h"
#include "core/compare/pairing/align_names.h"
#include "core/compare/pairing/pair_ranks.h"

namespace rankscope {
namespace {

std::optional<std::size_t> firstSteady(const RankFacts& facts) {
    const auto at =
        std::ranges::find_if(facts.steps, [](const RankStep& step) { return step.complete && !step.outlier; });
    return at == facts.steps.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - facts.steps.begin()));
}

/// The shift from the position of a step of A to that of B's.
std::int64_t stepShift(const RankFacts& a, const RankFacts& b) {
    const auto has = [&b](const RankStep& step) { return std::ranges::find(b.steps, step.index, &RankStep::index); };
    std::size_t common = 0;
    std::int64_t shift = 0;
    for (std::size_t i = 0; i < a.steps.size(); ++i) {
        if (const auto at = has(a.steps[i]); at != b.steps.end()) {
            shift = common++ == 0 ? (at - b.steps.begin()) - static_cast<std::int64_t>(i) : shift;
        }
    }
    if (common > 0 && 2 * common >= std::min(a.steps.size(), b.steps.size())) {
        return shift;
    }
    return static_cast<std::int64_t>(firstSteady(b).value_or(0)) -
           static_cast<std::int64_t>(firstSteady(a).value_or(0));
}

std::string nameOf(const AnalysedRun& run, SliceLocation place) {
    return "\"" + std::string(run.run->ranks[place.rank]->name(place.slice)) + "\"";
}

}  // namespace

Counterparts::Counterparts(const AnalysedRun& a, const AnalysedRun& b)
    : a_(a), b_(b), rank_of_(matchRanks(a, b).to_b), lanes_a_(a.run->ranks.size()), lanes_b_(b.run->ranks.size()) {
    for (RankPosition rank{0}; rank < rank_of_.size(); ++rank) {
        const std::optional<RankPosition> other = rank_of_[rank];
        step_shift_.push_back(other ? stepShift(a.facts.ranks[rank], b.facts.ranks[*other]) : 0);
    }
}

std::optional<RankStepPosition> Counterparts::stepOf(RankPosition rank_a, RankStepPosition step_a) const {
    if (!rank_of_[rank_a]) {
        return std::nullopt;
    }
    const std::int64_t at = static_cast<std::int64_t>(step_a) + step_shift_[rank_a];
    const auto count = static_cast<std::int64_t>(b_.facts.ranks[*rank_of_[rank_a]].steps.size());
    return at >= 0 && at < count ? std::optional(RankStepPosition(at)) : std::nullopt;
}

const SliceLanes& Counterparts::lanesOf(const AnalysedRun& run, RankPosition rank,
                                        std::vector<std::unique_ptr<SliceLanes>>& kept) {
    if (!kept[rank]) {
        kept[rank] = std::make_unique<SliceLanes>(*run.run->ranks[rank], run.facts.ranks[rank], names_);
    }
    return *kept[rank];
}

const Counterparts::Partners& Counterparts::partnersOf(RankPosition rank_a, RankStepPosition step_a,
                                                       RankStepPosition step_b, Lane lane) {
    const auto [at, is_new] = partners_.try_emplace({rank_a, step_a, lane});
    if (is_new) {
        const SliceLanes& lanes_a = lanesOf(a_, rank_a, lanes_a_);
        const SliceLanes& lanes_b = lanesOf(b_, *rank_of_[rank_a], lanes_b_);
        at->second = alignNames(lanes_a.sequence(step_a, lane).names, lanes_b.sequence(step_b, lane).names, kMostEdits);
    }
    return at->second;
}

Counterpart<SliceLocation> Counterparts::ofSlice(SliceLocation in_a) {
    if (!rank_of_[in_a.rank]) {
        return {{}, "Its rank was not recorded in the other run."};
    }
    const RankPosition rank_b = *rank_of_[in_a.rank];
    const std::vector<RankStep>& steps = a_.facts.ranks[in_a.rank].steps;
    const auto mark = std::ranges::find(steps, in_a.slice, &RankStep::mark);
    if (in_a.slice.valid() && mark != steps.end()) {
        const auto step = stepOf(in_a.rank, RankStepPosition(mark - steps.begin()));
        return step ? Counterpart<SliceLocation>{SliceLocation{rank_b, b_.facts.ranks[rank_b].steps[*step].mark}, {}}
                    : Counterpart<SliceLocation>{{}, "The other run has no such step."};
    }
    const std::optional<LanePlace> place = lanesOf(a_, in_a.rank, lanes_a_).find(in_a.slice);
    if (!place && in_a.slice.valid() && a_.run->ranks[in_a.rank]->category(in_a.slice) == Category::GpuAnnotation) {
        return {{}, "Stream annotations are not compared: look for the CPU range that it belongs to."};
    }
    if (!place) {
        return {{}, "It is in no step, so it has no counterpart."};
    }
    const std::optional<RankStepPosition> step_b = stepOf(in_a.rank, place->step);
    if (!step_b) {
        return {{}, fmt::format("The other run has no step for step {}.", steps[place->step].index)};
    }
    const std::uint32_t partner = partnersOf(in_a.rank, place->step, *step_b, place->lane)[place->index];
    if (partner == kNoPartner) {
        return {{},
                fmt::format("{} has no counterpart in step {} of the other run.", nameOf(a_, in_a),
                            b_.facts.ranks[rank_b].steps[*step_b].index)};
    }
    return {SliceLocation{rank_b, lanesOf(b_, rank_b, lanes_b_).sequence(*step_b, place->lane).slices[partner]}, {}};
}

std::string Counterparts::takesItsPlace(SliceLocation releasing) const {
    const RankTrace& rank = *b_.run->ranks[releasing.rank];
    const TimeNs start_ns = rank.span(releasing.slice).start_ns;
    // The work that ends last among all that began before, on any stream of the device.
    SliceRef before;
    for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
        const Track& track = rank.tracks[t];
        if (track.kind != TrackKind::Stream || track.device != b_.facts.ranks[releasing.rank].device) {
            continue;
        }
        const auto after = std::ranges::lower_bound(track.slices.start_ns, start_ns);
        if (after != track.slices.start_ns.begin()) {
            const SliceRef candidate{TrackId(t), static_cast<SliceIndex>(after - track.slices.start_ns.begin()) - 1};
            before = !before.valid() || rank.span(candidate).end_ns > rank.span(before).end_ns ? candidate : before;
        }
    }
    return before.valid() ? fmt::format("There is no gap: the GPU is busy with {} until {} starts.",
                                        nameOf(b_, {releasing.rank, before}), nameOf(b_, releasing))
                          : fmt::format("There is no gap: {} is the GPU's first work.", nameOf(b_, releasing));
}

Counterpart<GapLocation> Counterparts::ofGap(GapLocation in_a) {
    const Gap& gap = a_.facts.ranks[in_a.rank].steps[in_a.step].gaps[in_a.gap];
    if (!gap.releasing.valid()) {
        return {{}, "No GPU work ends this gap, so its place in the other run is unknown."};
    }
    const Counterpart<SliceLocation> work = ofSlice({in_a.rank, gap.releasing});
    if (!work.place) {
        return {{}, "The work that ends it is missing: " + work.missing};
    }
    const std::vector<RankStep>& steps = b_.facts.ranks[work.place->rank].steps;
    for (RankStepPosition step{0}; step < steps.size(); ++step) {
        const auto at = std::ranges::find(steps[step].gaps, work.place->slice, &Gap::releasing);
        if (at != steps[step].gaps.end()) {
            return {GapLocation{work.place->rank, step, static_cast<std::uint32_t>(at - steps[step].gaps.begin())}, {}};
        }
    }
    return {{}, takesItsPlace(*work.place)};
}

Counterpart<CollectivePosition> Counterparts::ofCollective(CollectivePosition in_a) {
    std::string missing = "None of its ranks was recorded in the other run.";
    for (const CollectiveMember& member : a_.facts.collectives.collectives[in_a].members) {
        if (!rank_of_[member.rank] || member.slices.empty()) {
            continue;
        }
        const Counterpart<SliceLocation> slice = ofSlice({member.rank, member.slices.front()});
        if (!slice.place) {
            return {{}, slice.missing};
        }
        const std::vector<Collective>& collectives = b_.facts.collectives.collectives;
        const auto at = std::ranges::find_if(collectives, [&](const Collective& collective) {
            const CollectiveMember* other = collective.memberOf(slice.place->rank);
            return other != nullptr && std::ranges::find(other->slices, slice.place->slice) != other->slices.end();
        });
        if (at != collectives.end()) {
            return {CollectivePosition(at - collectives.begin()), {}};
        }
        missing = "Its counterpart belongs to no collective.";
    }
    return {{}, missing};
}

}  // namespace rankscope
