// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/facts.h"
#include "core/analysis/verdict_words.h"
#include "tests/support/analysed.h"
#include "tests/support/real_traces.h"

namespace rankscope::test {
namespace {

/// Parts of a step in percent; launches get what is left.
struct Percent {
    DurationNs compute = 0;
    DurationNs communication = 0;
    DurationNs loader = 0;
    DurationNs queued = 0;
};

RankStep stepOf(const Percent& percent) {
    RankStep step;
    step.span = {0, 100};
    Partition part;
    part.compute_ns = percent.compute;
    part.exposed_comm_ns = percent.communication;
    part.exposed_transfer_ns = percent.communication;
    part.exposed_wait_ns = 0;
    part.exposed_unsplit_ns = 0;
    part.idle_ns = 100 - percent.compute - percent.communication;
    step.partition = part;
    step.idle_causes[Cause::DataLoader] = percent.loader;
    step.idle_causes[Cause::Queued] = percent.queued;
    step.idle_causes[Cause::Launch] = part.idle_ns - percent.loader - percent.queued;
    return step;
}

RankFacts rankOf(std::vector<RankStep> steps) {
    RankFacts facts;
    facts.device = 0;
    facts.steps = std::move(steps);
    return facts;
}

Verdict verdictOf(const Percent& percent) {
    return judgeRun(std::vector{rankOf({stepOf(percent)})});
}

TEST(Verdict, IsComputeWhereItIsTwiceAllWaits) {
    EXPECT_EQ(verdictOf({.compute = 70, .communication = 20}).bound, Bound::Compute);
    EXPECT_EQ(verdictOf({.compute = 67, .communication = 33}).bound, Bound::Compute);
    EXPECT_EQ(verdictOf({.compute = 66, .communication = 34}).bound, Bound::Communication);
}

TEST(Verdict, IsTheWaitThatStandsOut) {
    EXPECT_EQ(verdictOf({.compute = 40, .communication = 40}).bound, Bound::Communication);
    EXPECT_EQ(verdictOf({.compute = 50, .loader = 40}).bound, Bound::Input);
    EXPECT_EQ(verdictOf({.compute = 50, .communication = 5}).bound, Bound::Launch);
}

TEST(Verdict, IsBalancedWhereTwoWaitsAreAlike) {
    EXPECT_EQ(verdictOf({.compute = 50, .communication = 25, .loader = 23, .queued = 2}).bound, Bound::Balanced);
}

TEST(Verdict, PrintsItsRuleWithItsNumbers) {
    const Verdict verdict = verdictOf({.compute = 40, .communication = 36, .loader = 18, .queued = 6});
    EXPECT_EQ(verdict.bound, Bound::Communication);
    EXPECT_THAT(verdict.rule, testing::HasSubstr("compute 40 %"));
    EXPECT_THAT(verdict.rule, testing::HasSubstr("above 1.2 times waiting for input and copies, the next: 2.0 times"));
    EXPECT_DOUBLE_EQ(verdict.shares->rest, 0.06);
}

/// A step that waits for another rank for 60 % of it, which did `what` meanwhile.
RankStep waitingStep(Cause idle, DurationNs compute_ns = 0) {
    RankStep step = stepOf({.compute = 20, .communication = 80});
    step.partition->exposed_transfer_ns = 20;
    step.partition->exposed_wait_ns = 60;
    step.wait_causes.idle[idle] = 60 - compute_ns;
    step.wait_causes.compute_ns = compute_ns;
    return step;
}

TEST(Verdict, CountsWaitingForAnotherRankAsWhatThatRankDid) {
    const auto bound = [](const RankStep& step) { return judgeRun(std::vector{rankOf({step})}).bound; };
    EXPECT_EQ(bound(waitingStep(Cause::DataLoader)), Bound::Input);
    EXPECT_EQ(bound(waitingStep(Cause::Operator)), Bound::Launch);
    EXPECT_EQ(bound(waitingStep(Cause::DataLoader, 60)), Bound::Compute) << "a rank with more to compute";
}

TEST(Verdict, SaysThatHostThreadsStandStillAndNotThatTheyLaunchSlowly) {
    RankStep step = stepOf({.compute = 30, .communication = 10});
    EXPECT_THAT(judgeRun(std::vector{rankOf({step})}).rule, testing::Not(testing::HasSubstr("stand still")))
        << "most runs have no such time, and need not read of it";
    step.idle_causes[Cause::HostStall] = 40;
    step.idle_causes[Cause::Launch] = 20;
    const Verdict verdict = judgeRun(std::vector{rankOf({step})});
    EXPECT_EQ(verdict.bound, Bound::HostStall);
    EXPECT_DOUBLE_EQ(verdict.shares->stall, 0.4);
    EXPECT_DOUBLE_EQ(verdict.shares->launch, 0.2);
    EXPECT_THAT(verdict.rule, testing::HasSubstr("waiting for host threads that stand still 40 %"));
    EXPECT_EQ(judgeRun(std::vector{rankOf({waitingStep(Cause::HostStall)})}).bound, Bound::HostStall)
        << "whichever rank it is that stands still";
}

TEST(Verdict, CannotBeToldWhereCommunicationThatIsNotDividedWouldDecide) {
    RankStep step =  // NOLINT(misc-const-correctness)
        stepOf({.compute = 50, .communication = 45});
    step.partition->exposed_transfer_ns.reset();
    step.partition->exposed_wait_ns.reset();
    step.partition->exposed_unsplit_ns.reset();
    const Verdict verdict = judgeRun(std::vector{rankOf({step})});
    EXPECT_FALSE(verdict.bound);
    EXPECT_DOUBLE_EQ(verdict.shares->unsplit, 0.45);
    EXPECT_THAT(verdict.rule, testing::HasSubstr("all ranks"));
}

TEST(Verdict, IsNoneWhereTheDeviceMostlyWaitsBetweenQueuedWork) {
    const RankStep step = stepOf({.compute = 20, .communication = 14, .queued = 62});
    const Verdict verdict = judgeRun(std::vector{rankOf({step})});
    EXPECT_FALSE(verdict.bound);
    EXPECT_THAT(verdict.rule, testing::HasSubstr("idle between queued work 62 %"));
}

TEST(Verdict, CountsEachStepWithAllThatItTook) {
    const RankStep quick = stepOf({.compute = 90, .communication = 10});
    RankStep stalled = stepOf({.compute = 90, .communication = 10});
    stalled.span = {0, 1000};
    stalled.partition->idle_ns = 900;
    stalled.idle_causes[Cause::DataLoader] = 900;
    const Verdict verdict = judgeRun(std::vector{rankOf({quick, quick, quick, stalled, stalled})});
    EXPECT_EQ(verdict.bound, Bound::Input);
    EXPECT_DOUBLE_EQ(verdict.shares->input, 1800.0 / 2300.0);
}

TEST(Verdict, JudgesSteadyStepsOnly) {
    RankStep warm_up = stepOf({.compute = 10, .loader = 90});
    warm_up.outlier = true;
    RankStep cut = stepOf({.compute = 10, .communication = 90});
    cut.complete = false;
    const RankStep steady = stepOf({.compute = 90, .communication = 10});
    EXPECT_EQ(judgeRun(std::vector{rankOf({warm_up, cut, steady})}).bound, Bound::Compute);
}

TEST(Verdict, CannotBeToldWithoutACompleteStepOrADevice) {
    RankStep cut = stepOf({.compute = 90});
    cut.complete = false;
    const Verdict no_step = judgeRun(std::vector{rankOf({cut})});
    EXPECT_FALSE(no_step.bound || no_step.shares);
    EXPECT_THAT(no_step.rule, testing::HasSubstr("complete"));
    RankStep host_only;
    host_only.span = {0, 100};
    RankFacts no_device;
    no_device.steps = {host_only};
    const Verdict verdict = judgeRun(std::vector{no_device});
    EXPECT_FALSE(verdict.bound);
    EXPECT_THAT(verdict.rule, testing::HasSubstr("device"));
}

TEST(Verdict, CannotBeToldWhereIdleTimeOfUnknownCauseWouldDecide) {
    const auto idle_before_unknown_launch = [](DurationNs compute) {
        RankStep step = stepOf({.compute = compute});
        step.idle_causes = {};
        step.idle_causes[Cause::Unrecorded] = 100 - compute;
        Gap gap;
        gap.parts.resize(1);
        gap.parts[0].span = {compute, 100};
        step.gaps.push_back(gap);
        return judgeRun(std::vector{rankOf({step})});
    };
    const Verdict unknown = idle_before_unknown_launch(60);
    EXPECT_FALSE(unknown.bound);
    EXPECT_THAT(unknown.rule, testing::HasSubstr("40 %"));
    EXPECT_DOUBLE_EQ(unknown.shares->unknown, 0.4);
    EXPECT_EQ(idle_before_unknown_launch(90).bound, Bound::Compute) << "too little is unknown to change it";
}

TEST(RealVerdicts, HaveSharesThatAddUpToTheStep) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    for (const char* run : {"resnet50_workers/FourWorkers", "param", "unseen_1/fsdp2_4ranks"}) {
        const Verdict verdict = loadAndAnalyse(realTraces() / run).facts.verdict;
        ASSERT_TRUE(verdict.shares) << run;
        double sum = 0;
        for (const NamedShare& share : namedShares(*verdict.shares)) {
            sum += share.share;
        }
        EXPECT_NEAR(sum, 1, 1e-9) << run;
    }
}

TEST(RealVerdicts, TellInputBoundFromComputeBound) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const auto bound = [](const char* run) { return loadAndAnalyse(realTraces() / run).facts.verdict.bound; };
    EXPECT_EQ(bound("resnet50_workers/ZeroWorkers"), Bound::Input);
    EXPECT_EQ(bound("resnet50_workers/FourWorkers"), Bound::Compute);
    EXPECT_EQ(bound("hta/cpu_only"), std::nullopt);
    EXPECT_EQ(bound("unseen_1/megatron_tp8"), Bound::HostStall) << "two of eight ranks have a core at a time";
}

}  // namespace
}  // namespace rankscope::test
