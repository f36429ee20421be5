// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/step_medians.h"
#include "tests/support/testing.h"

namespace rankscope::report {
namespace {

RankStep stepOf(DurationNs duration, DurationNs compute, DurationNs comm, DurationNs overlap) {
    RankStep step;
    step.span = {0, duration};
    Partition part;
    part.compute_ns = compute;
    part.comm_ns = comm;
    part.overlap_ns = overlap;
    part.exposed_comm_ns = comm - overlap;
    part.idle_ns = duration - compute - part.exposed_comm_ns;
    step.partition = part;
    step.idle_causes[Cause::HostSync] = part.idle_ns;
    return step;
}

TEST(StepMedians, LeaveOutOutliersAndIncompleteSteps) {
    RankFacts facts;
    facts.steps = {stepOf(100, 60, 20, 10), stepOf(110, 70, 20, 5), stepOf(120, 80, 20, 0), stepOf(9000, 1, 0, 0),
                   stepOf(5, 1, 0, 0)};
    facts.steps[3].outlier = true;
    facts.steps[4].complete = false;
    const auto medians = stepMedians(facts);
    ASSERT_TRUE(medians.has_value());
    EXPECT_EQ(medians->steps, 5U);
    EXPECT_EQ(medians->steady, 3U);
    EXPECT_FALSE(medians->over_all);
    EXPECT_EQ(medians->duration_ns, 110);
    EXPECT_EQ(medians->partition->compute_ns, 70);
    EXPECT_EQ(medians->idle_causes[Cause::HostSync], 25);
    EXPECT_DOUBLE_EQ(*medians->overlap, 0.25);
    EXPECT_NEAR(*medians->utilisation, 85.0 / 110.0, 1e-9);
}

TEST(StepMedians, AreOverAllStepsWhereNoneIsSteady) {
    RankFacts facts;
    facts.steps = {stepOf(100, 60, 0, 0)};
    facts.steps[0].complete = false;
    const auto medians = stepMedians(facts);
    ASSERT_TRUE(medians.has_value());
    EXPECT_TRUE(medians->over_all);
    EXPECT_EQ(medians->duration_ns, 100);
    EXPECT_FALSE(medians->overlap.has_value()) << "there is no communication to overlap";
}

TEST(StepMedians, AreNothingWithoutStepsAndHaveNoPartitionWithoutDeviceWork) {
    EXPECT_FALSE(stepMedians({}).has_value());
    RankFacts facts;
    facts.steps.resize(1);
    facts.steps[0].span = {0, 50};
    const auto medians = stepMedians(facts);
    ASSERT_TRUE(medians.has_value());
    EXPECT_FALSE(medians->partition.has_value());
}

}  // namespace
}  // namespace rankscope::report
