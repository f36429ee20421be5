// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/prices/blocked_part.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

constexpr SliceRef kSync{TrackId(0), 4};
constexpr SliceRef kOther{TrackId(0), 5};

GapPart partOf(TimeSpan span, SliceRef first) {
    GapPart part;
    part.span = span;
    part.evidence = {first};
    return part;
}

RunFacts factsWithGaps() {
    RankStep step;
    step.index = 7;
    Gap gap;
    gap.span = {100, 500};
    gap.parts = {partOf({100, 150}, kSync), partOf({150, 400}, kSync), partOf({400, 500}, kOther)};
    step.gaps = {gap};
    RankStep after = step;
    after.index = 8;
    after.gaps.front().parts = {partOf({100, 500}, kSync)};
    RunFacts facts;
    facts.ranks.resize(1);
    facts.ranks.front().steps = {step, after};
    return facts;
}

TEST(BlockedPart, IsTheLongestOfItsStepThatTheSliceIsTheFirstProofOf) {
    const RunFacts facts = factsWithGaps();
    EXPECT_EQ(blockedBy(facts, {RankPosition(0), 7, kSync, {}}), (TimeSpan{150, 400}));
    EXPECT_EQ(blockedBy(facts, {RankPosition(0), 8, kSync, {}}), (TimeSpan{100, 500}));
}

TEST(BlockedPart, IsNoneOfWhatBlocksNothingOrIsNotThere) {
    const RunFacts facts = factsWithGaps();
    EXPECT_EQ(blockedBy(facts, {RankPosition(0), 8, kOther, {}}), std::nullopt);
    EXPECT_EQ(blockedBy(facts, {RankPosition(0), 9, kSync, {}}), std::nullopt);
    EXPECT_EQ(blockedBy(facts, {RankPosition(1), 7, kSync, {}}), std::nullopt);
    EXPECT_EQ(blockedBy(facts, {RankPosition(0), 7, {}, {}}), std::nullopt);
}

}  // namespace
}  // namespace rankscope
