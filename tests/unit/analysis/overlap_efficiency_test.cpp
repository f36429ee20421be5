// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device/overlap_efficiency.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

RankStep stepOf(DurationNs step_ns, DurationNs compute_ns, DurationNs comm_ns, DurationNs overlap_ns) {
    RankStep step;
    step.span = {0, step_ns};
    Partition parts;
    parts.compute_ns = compute_ns;
    parts.comm_ns = comm_ns;
    parts.overlap_ns = overlap_ns;
    parts.exposed_comm_ns = comm_ns - overlap_ns;
    parts.idle_ns = step_ns - compute_ns - parts.exposed_comm_ns;
    step.partition = parts;
    return step;
}

TEST(OverlapEfficiency, IsTheShareHiddenOfWhatCouldBe) {
    const auto overlap = overlapOf(stepOf(120, 80, 40, 30));
    ASSERT_TRUE(overlap.has_value());
    EXPECT_DOUBLE_EQ(overlap->efficiency(), 0.75);
    EXPECT_EQ(overlap->both_ns, 90);
    EXPECT_EQ(overlap->least_ns, 80);
    EXPECT_EQ(overlap->most_ns, 120);
    EXPECT_EQ(overlap->hidden_ns + overlap->exposed_ns, 40);
}

TEST(OverlapEfficiency, BoundsTheStepByAllHiddenAndNone) {
    const auto overlap = overlapOf(stepOf(120, 80, 40, 30));
    ASSERT_TRUE(overlap.has_value());
    EXPECT_EQ(overlap->bestStep(), 110);
    EXPECT_EQ(overlap->worstStep(), 150);
}

TEST(OverlapEfficiency, IsOneWhereTheComputationIsTheShorterAndAllOfItIsUsed) {
    EXPECT_DOUBLE_EQ(overlapOf(stepOf(100, 20, 60, 20))->efficiency(), 1)
        << "40 of communication can hide behind nothing";
    EXPECT_DOUBLE_EQ(overlapOf(stepOf(100, 20, 60, 0))->efficiency(), 0);
}

TEST(OverlapEfficiency, IsNotToldWhereOneOfTheTwoIsMissing) {
    EXPECT_FALSE(overlapOf(stepOf(100, 50, 0, 0)).has_value());
    EXPECT_FALSE(overlapOf(stepOf(100, 0, 50, 0)).has_value());
    EXPECT_FALSE(overlapOf(RankStep()).has_value()) << "a rank without device work";
}

TEST(OverlapEfficiency, OfARankIsOverItsSteadySteps) {
    RankFacts rank;
    rank.steps = {stepOf(120, 80, 40, 30), stepOf(120, 80, 40, 10), stepOf(900, 80, 40, 0)};
    rank.steps.back().outlier = true;
    const auto overlap = overlapOf(rank);
    ASSERT_TRUE(overlap.has_value());
    EXPECT_EQ(overlap->steps, 2U);
    EXPECT_DOUBLE_EQ(overlap->efficiency(), 0.5);
}

}  // namespace
}  // namespace rankscope::test
