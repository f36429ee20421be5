// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/finding_places.h"

#include "tests/support/testing.h"

namespace rankscope {
namespace {

constexpr SliceRef kProof{TrackId(0), 4};

GapPart partMade(TimeSpan span, Cause cause, std::string_view label, SliceRef first = {}) {
    GapPart part;
    part.span = span;
    part.cause = cause;
    part.label = label;
    part.evidence.add(first);
    return part;
}

Gap gapMade(std::vector<GapPart> parts) {
    Gap gap;
    gap.span = {parts.front().span.start_ns, parts.back().span.end_ns};
    gap.parts = std::move(parts);
    return gap;
}

/// Two ranks with three steps; in each step of rank 0 a loader blocks the device, then an operator does.
RunFacts madeFacts() {
    RunFacts facts;
    facts.ranks.resize(2);
    facts.median_step_ns = 1'000;
    for (std::int64_t s = 0; s < 3; ++s) {
        const TimeNs at = s * 1'000;
        RankStep step;
        step.index = s;
        step.span = {at, at + 1'000};
        step.gaps = {gapMade({partMade({at, at + 50}, Cause::DataLoader, "fetch", s == 2 ? kProof : SliceRef()),
                              partMade({at + 50, at + 90}, Cause::DataLoader, "wait"),
                              partMade({at + 90, at + 100}, Cause::Operator, "aten::mm")}),
                     gapMade({partMade({at + 400, at + 420}, Cause::DataLoader, "fetch")})};
        facts.ranks[0].steps.push_back(step);
        step.gaps.clear();
        facts.ranks[1].steps.push_back(step);
        RunStep of_run;
        of_run.index = s;
        of_run.duration_ns = 1'000 + s;
        of_run.by_rank = {RankStepPosition(s), RankStepPosition(s)};
        facts.steps.push_back(of_run);
    }
    return facts;
}

Finding madeFinding(FindingId id) {
    Finding finding;
    finding.id = id;
    finding.ranks = {RankPosition(0)};
    finding.evidence = {{RankPosition(0), 2, kProof, {}}};
    return finding;
}

TEST(FindingPlaces, OfAWholeCauseAreAllPartsOfThatCauseAndThoseThatFollowAreOne) {
    const RunFacts facts = madeFacts();
    const auto places = placesOf(facts, madeFinding(FindingId::DataloaderStall), facts.steps[0]);
    EXPECT_EQ(places, (std::vector<FindingPlace>{{RankPosition(0), {}, {0, 90}}, {RankPosition(0), {}, {400, 420}}}));
}

TEST(FindingPlaces, WhatElseTheEvidenceShowsBlocksForAnotherCause) {
    RunFacts facts = madeFacts();
    constexpr SliceRef kLaunch{TrackId(0), 9};
    facts.ranks[0].steps[2].gaps[0].parts[2].evidence.add(kLaunch);
    Finding finding = madeFinding(FindingId::DataloaderStall);
    finding.evidence.push_back({RankPosition(0), 2, kLaunch, "launches the work that ends this gap"});
    EXPECT_EQ(placesOf(facts, finding, facts.steps[0]),
              placesOf(facts, madeFinding(FindingId::DataloaderStall), facts.steps[0]));
}

TEST(FindingPlaces, OfALabelAreThePartsWithThatLabel) {
    const RunFacts facts = madeFacts();
    const auto places = placesOf(facts, madeFinding(FindingId::HostSync), facts.steps[0]);
    EXPECT_EQ(places, (std::vector<FindingPlace>{{RankPosition(0), {}, {0, 50}}, {RankPosition(0), {}, {400, 420}}}));
}

TEST(FindingPlaces, EvidenceIsAPlaceInItsOwnStepOnly) {
    const RunFacts facts = madeFacts();
    const Finding finding = madeFinding(FindingId::HostSync);
    const auto has = [](const std::vector<FindingPlace>& places) {
        return std::ranges::find(places, kProof, &FindingPlace::slice) != places.end();
    };
    EXPECT_TRUE(has(placesOf(facts, finding, facts.steps[2])));
    EXPECT_FALSE(has(placesOf(facts, finding, facts.steps[1])));
}

TEST(FindingPlaces, TimesInWhichARankWasLateArePlaces) {
    const RunFacts facts = madeFacts();
    Finding finding;
    finding.id = FindingId::StragglerRank;
    finding.late = {{RankPosition(1), 0, {10, 20}}, {RankPosition(1), 1, {1'010, 1'020}}};
    EXPECT_EQ(placesOf(facts, finding, facts.steps[1]),
              (std::vector<FindingPlace>{{RankPosition(1), {}, {1'010, 1'020}}}));
}

TEST(FindingPlaces, TheStepToShowIsTheTypicalOneWhereTheFindingIsThere) {
    const RunFacts facts = madeFacts();
    EXPECT_EQ(stepToShow(facts, madeFinding(FindingId::DataloaderStall)), RunStepPosition(0));
}

TEST(FindingPlaces, ElseItIsTheOneWithEvidence) {
    RunFacts facts = madeFacts();
    for (RankStep& step : facts.ranks[0].steps) {
        step.gaps.clear();
    }
    EXPECT_EQ(stepToShow(facts, madeFinding(FindingId::ExposedCommunication)), RunStepPosition(2));
    Finding nowhere = madeFinding(FindingId::TraceHealth);
    nowhere.evidence.clear();
    EXPECT_EQ(stepToShow(facts, nowhere), RunStepPosition(0));
    EXPECT_EQ(stepToShow(RunFacts(), nowhere), std::nullopt);
}

}  // namespace
}  // namespace rankscope
