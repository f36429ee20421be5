// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/collective_index.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

SliceRef slice(std::uint32_t track, SliceIndex index) {
    return {TrackId(track), index};
}

CollectiveMember member(RankPosition rank, TimeSpan span, std::vector<SliceRef> kernels, SliceRef op = {}) {
    CollectiveMember made;
    made.rank = rank;
    made.span = span;
    made.slices = std::move(kernels);
    made.op = op;
    return made;
}

Collective of(std::vector<CollectiveMember> members) {
    Collective made;
    made.members = std::move(members);
    return made;
}

/// Two ranks; on the first the second collective begins while the first, which is long, goes on.
CollectiveFacts someFacts() {
    CollectiveFacts facts;
    facts.collectives = {
        of({member(RankPosition(0), {100, 900}, {slice(3, 0), slice(3, 1)}, slice(0, 7)),
            member(RankPosition(1), {100, 200}, {slice(2, 0)}, slice(0, 4))}),
        of({member(RankPosition(0), {150, 250}, {slice(4, 0)}), member(RankPosition(1), {300, 400}, {slice(2, 1)})}),
        of({member(RankPosition(0), {1000, 1100}, {slice(3, 2)})})};
    return facts;
}

TEST(CollectiveIndex, FindsTheCollectiveOfEachKernelOnItsRankOnly) {
    const CollectiveIndex index(someFacts());
    EXPECT_THAT(index.ofKernel(RankPosition(0), slice(3, 0)), Optional(0U));
    EXPECT_THAT(index.ofKernel(RankPosition(0), slice(3, 1)), Optional(0U)) << "one collective may be several kernels";
    EXPECT_THAT(index.ofKernel(RankPosition(0), slice(4, 0)), Optional(1U));
    EXPECT_THAT(index.ofKernel(RankPosition(1), slice(2, 1)), Optional(1U));
    EXPECT_EQ(index.ofKernel(RankPosition(1), slice(3, 0)), std::nullopt) << "the same slice of another rank";
    EXPECT_EQ(index.ofKernel(RankPosition(0), slice(3, 9)), std::nullopt);
    EXPECT_EQ(index.ofKernel(RankPosition(7), slice(3, 0)), std::nullopt) << "a rank with no collectives";
}

TEST(CollectiveIndex, AnOperatorLeadsToItsCollectiveButIsNoKernel) {
    const CollectiveIndex index(someFacts());
    EXPECT_THAT(index.of(RankPosition(0), slice(0, 7)), Optional(0U));
    EXPECT_EQ(index.ofKernel(RankPosition(0), slice(0, 7)), std::nullopt);
    EXPECT_THAT(index.of(RankPosition(0), slice(3, 2)), Optional(2U)) << "kernels are found too";
}

TEST(CollectiveIndex, AHostOperatorThatStandsForTheKernelIsBoth) {
    CollectiveFacts facts;
    facts.collectives = {of({member(RankPosition(0), {0, 10}, {slice(0, 3)}, slice(0, 3))})};
    const CollectiveIndex index(facts);
    EXPECT_THAT(index.ofKernel(RankPosition(0), slice(0, 3)), Optional(0U));
    EXPECT_THAT(index.of(RankPosition(0), slice(0, 3)), Optional(0U));
}

TEST(CollectiveIndex, WithinAStretchAreThoseThatReachIntoIt) {
    const CollectiveIndex index(someFacts());
    EXPECT_THAT(index.within(RankPosition(0), {800, 1050}), ElementsAre(0U, 2U))
        << "the long one is not hidden by a short one";
    EXPECT_THAT(index.within(RankPosition(0), {200, 240}), ElementsAre(0U, 1U));
    EXPECT_THAT(index.within(RankPosition(0), {900, 1000}), IsEmpty()) << "what only touches does not reach into it";
    EXPECT_THAT(index.within(RankPosition(1), {0, 5000}), ElementsAre(0U, 1U));
    EXPECT_THAT(index.within(RankPosition(5), {0, 5000}), IsEmpty());
}

TEST(CollectiveIndex, OfNoCollectivesFindsNothing) {
    const CollectiveIndex index{CollectiveFacts{}};
    EXPECT_EQ(index.of(RankPosition(0), slice(0, 0)), std::nullopt);
    EXPECT_THAT(index.within(RankPosition(0), {0, 100}), IsEmpty());
}

}  // namespace
}  // namespace rankscope
