// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/recognise_schedule.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

PipelinePass pass(PassKind kind, std::int32_t stage, std::int32_t micro_batch, bool overlapped = false) {
    PipelinePass made;
    made.kind = kind;
    made.stage = stage;
    made.micro_batch = micro_batch;
    made.overlapped = overlapped;
    return made;
}

/// A rank whose passes are forwards and backwards in this order, without names: "FFBB".
PlacedPasses inOrder(std::int32_t place, const std::string& kinds) {
    PlacedPasses rank{.place = place, .passes = {}};
    for (const char kind : kinds) {
        rank.passes.push_back(pass(kind == 'F' ? PassKind::Forward : PassKind::Backward, -1, -1));
    }
    return rank;
}

TEST(RecogniseSchedule, RecognisesDualPipeByPassesOfBothKindsAtOnceFromBothEnds) {
    constexpr auto kF = PassKind::Forward;
    constexpr auto kB = PassKind::Backward;
    std::vector<PlacedPasses> ranks = {
        {.place = 0, .passes = {pass(kF, 0, 0), pass(kF, 3, 0, true), pass(kB, 3, 0, true), pass(kB, 0, 0)}},
        {.place = 1, .passes = {pass(kF, 1, 0), pass(kF, 2, 0), pass(kB, 2, 0), pass(kB, 1, 0)}}};
    const auto found = recogniseSchedule(2, ranks);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->schedule, Schedule::DualPipe);
    EXPECT_EQ(found->stages_per_rank, 2);
    ranks[0].passes[1].overlapped = ranks[0].passes[2].overlapped = false;
    EXPECT_NE(recogniseSchedule(2, ranks)->schedule, Schedule::DualPipe) << "nothing runs at once";
}

TEST(RecogniseSchedule, SaysNothingWhereForwardsAndBackwardsAreNotPaired) {
    std::vector<PlacedPasses> uneven = {inOrder(0, "FFB"), inOrder(1, "FFB")};
    EXPECT_FALSE(recogniseSchedule(2, uneven)) << "a backward is missing";
    std::vector<PlacedPasses> apart = {inOrder(0, "FFBB"), inOrder(1, "FBFBFB")};
    EXPECT_FALSE(recogniseSchedule(2, apart)) << "the ranks have different numbers of passes";
    std::vector<PlacedPasses> inference = {inOrder(0, "FFF"), inOrder(1, "FFF")};
    EXPECT_FALSE(recogniseSchedule(2, inference)) << "nothing is trained";
}

TEST(RecogniseSchedule, DoesNotTakeInterleavedStagesForGPipe) {
    std::vector<PlacedPasses> ranks = {inOrder(0, "FFFFFFBBBBBB"), inOrder(1, "FFFFFFBBBBBB"),
                                       inOrder(2, "FFFFFFBBBBBB")};
    std::vector<PlacedPasses> again = ranks;
    EXPECT_EQ(recogniseSchedule(3, ranks)->schedule, Schedule::GPipe);
    const auto found = recogniseSchedule(3, again, true);
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->schedule) << "the last rank sends to the first";
    EXPECT_EQ(found->notes.size(), 1U);
    EXPECT_EQ(again[0].passes[0].stage, -1);
}

TEST(RecogniseSchedule, NumbersWhatHasNoNames) {
    std::vector<PlacedPasses> ranks = {inOrder(0, "FFBFBB"), inOrder(1, "FBFBFB")};
    const auto found = recogniseSchedule(2, ranks);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->schedule, Schedule::OneFOneB);
    EXPECT_EQ(found->micro_batches, 3);
    EXPECT_EQ(ranks[1].passes[5].stage, 1);
    EXPECT_EQ(ranks[1].passes[5].micro_batch, 2);
    EXPECT_EQ(ranks[0].passes[3].micro_batch, 2) << "the third forward";
}

}  // namespace
}  // namespace rankscope::test
