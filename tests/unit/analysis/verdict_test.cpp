// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/verdict.h"

#include "core/analysis/facts.h"
#include "core/analysis/verdict_words.h"
#include "tests/support/analysed.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// Parts of a step in percent; launches get what is left.
struct Percent {
    DurationNs compute = 0;
    DurationNs communication = 0;
    DurationNs loader = 0;
    DurationNs queued = 0;
};

PathTimes pathOf(const Percent& percent) {
    PathTimes path;
    path.compute_ns = percent.compute;
    path.transfer_ns = percent.communication;
    path.idle[Cause::DataLoader] = percent.loader;
    path.idle[Cause::Queued] = percent.queued;
    path.idle[Cause::Launch] = 100 - path.total();
    return path;
}

Verdict judge(const std::vector<PathTimes>& paths) {
    std::vector<RankFacts> ranks(paths.size());
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        ranks[r].device = 0;
        ranks[r].path = paths[r];
    }
    return judgeRun(ranks);
}

Verdict verdictOf(const Percent& percent) {
    return judge({pathOf(percent)});
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
    EXPECT_THAT(verdict.rule,
                testing::HasSubstr(
                    "Largest wait: exposed communication (2.0 times the next one, waiting for input and copies)."));
    EXPECT_DOUBLE_EQ(verdict.shares->rest, 0.06);
}

TEST(Verdict, TellsHowManyTimesWithThreeDigitsAtMost) {
    PathTimes path;
    path.compute_ns = 9068;
    path.idle[Cause::Launch] = 200;
    EXPECT_THAT(judge({path}).rule, testing::HasSubstr("together: 45.3 times."));
}

TEST(Verdict, PrintsNoRatioToWaitsThatAreNextToNothing) {
    PathTimes path;
    path.compute_ns = 9068;
    path.idle[Cause::Launch] = 10;
    EXPECT_THAT(judge({path}).rule, testing::HasSubstr("All waits together are below 1.0 % of the step."));
    const std::string rule = verdictOf({.compute = 40, .communication = 59, .queued = 1}).rule;
    EXPECT_THAT(rule, testing::HasSubstr("Largest wait: exposed communication."));
    EXPECT_THAT(rule, testing::Not(testing::HasSubstr("times the next one")));
}

TEST(Verdict, SaysThatHostThreadsStandStillAndNotThatTheyLaunchSlowly) {
    PathTimes path = pathOf({.compute = 30, .communication = 10});
    EXPECT_THAT(judge({path}).rule, testing::Not(testing::HasSubstr("stalled")))
        << "most runs have no such time, and need not read of it";
    path.idle[Cause::HostStall] = 40;
    path.idle[Cause::Launch] = 20;
    const Verdict verdict = judge({path});
    EXPECT_EQ(verdict.bound, Bound::HostStall);
    EXPECT_DOUBLE_EQ(verdict.shares->stall, 0.4);
    EXPECT_DOUBLE_EQ(verdict.shares->launch, 0.2);
    EXPECT_THAT(verdict.rule, testing::HasSubstr("waiting for stalled CPU threads 40 %"));
}

TEST(Verdict, CannotBeToldWhereCommunicationThatIsNotDividedWouldDecide) {
    PathTimes path = pathOf({.compute = 50});
    path.idle[Cause::Launch] = 5;
    path.unsplit_ns = 45;
    const Verdict verdict = judge({path});
    EXPECT_FALSE(verdict.bound);
    EXPECT_DOUBLE_EQ(verdict.shares->unsplit, 0.45);
    EXPECT_THAT(verdict.rule, testing::HasSubstr("all ranks"));
}

TEST(Verdict, NamesTheTimeThatCannotBeToldWhereItDecidesNothing) {
    PathTimes path = pathOf({.compute = 80});
    path.idle[Cause::Launch] = 2;
    path.unsplit_ns = 12;
    path.unknown_ns = 6;
    const Verdict verdict = judge({path});
    EXPECT_EQ(verdict.bound, Bound::Compute);
    EXPECT_THAT(verdict.rule, testing::HasSubstr("communication (transfer or waiting unknown) 12 %"));
    EXPECT_THAT(verdict.rule, testing::HasSubstr("idle (launch not recorded) 6"));
    EXPECT_THAT(verdictOf({.compute = 80}).rule, testing::Not(testing::HasSubstr("unknown")));
}

TEST(Verdict, IsNoneWhereTheDeviceMostlyWaitsBetweenQueuedWork) {
    const Verdict verdict = verdictOf({.compute = 20, .communication = 14, .queued = 62});
    EXPECT_FALSE(verdict.bound);
    EXPECT_THAT(verdict.rule, testing::HasSubstr("idle between queued work 62 %"));
}

TEST(Verdict, CountsEachRankAlikeHoweverLongItWasRecorded) {
    PathTimes longer = pathOf({.loader = 100});
    longer.idle[Cause::DataLoader] = 900;
    const Verdict verdict = judge({pathOf({.compute = 100}), longer});
    EXPECT_DOUBLE_EQ(verdict.shares->compute, 0.5);
    EXPECT_DOUBLE_EQ(verdict.shares->input, 0.5);
}

TEST(Verdict, CannotBeToldWithoutASteadyStepOrADevice) {
    const Verdict no_step = judge({PathTimes()});
    EXPECT_FALSE(no_step.bound || no_step.shares);
    EXPECT_THAT(no_step.rule, testing::HasSubstr("complete"));
    const Verdict verdict = judgeRun(std::vector<RankFacts>(1));
    EXPECT_FALSE(verdict.bound);
    EXPECT_THAT(verdict.rule, testing::HasSubstr("GPU"));
}

TEST(Verdict, CannotBeToldWhereIdleTimeOfUnknownCauseWouldDecide) {
    const auto idle_before_unknown_launch = [](DurationNs compute_ns) {
        PathTimes path;
        path.compute_ns = compute_ns;
        path.unknown_ns = 100 - compute_ns;
        return judge({path});
    };
    const Verdict unknown = idle_before_unknown_launch(60);
    EXPECT_FALSE(unknown.bound);
    EXPECT_THAT(unknown.rule, testing::HasSubstr("40 %"));
    EXPECT_DOUBLE_EQ(unknown.shares->unknown, 0.4);
    EXPECT_EQ(idle_before_unknown_launch(90).bound, Bound::Compute) << "too little is unknown to change it";
}

TEST(Verdict, SaysWhatTheMeanRankComputesWhereThatIsNotWhatThePathDoes) {
    RunFacts facts;
    facts.verdict.shares.emplace();
    facts.verdict.shares->compute = 0.9;
    const auto add_rank = [&facts](DurationNs compute_ns) {
        RankStep step;
        step.complete = true;
        step.span = {0, 100};
        step.partition.emplace();
        step.partition->compute_ns = compute_ns;
        facts.ranks.emplace_back().steps = {step};
    };
    add_rank(95);
    EXPECT_EQ(besidePathText(facts), "") << "it is nearly the same";
    add_rank(45);
    EXPECT_NEAR(computeBesidePath(facts).value_or(0), 0.7, 1e-9);
    EXPECT_THAT(besidePathText(facts), testing::HasSubstr("a rank itself computes for 70 % of its step"));
    facts.verdict.shares.reset();
    EXPECT_EQ(besidePathText(facts), "");
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
