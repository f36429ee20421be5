// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/typical_run_step.h"

#include "tests/support/testing.h"

namespace rankscope {
namespace {

RunFacts typicalFacts(const std::vector<DurationNs>& lengths, DurationNs priced_ns) {
    RunFacts facts;
    for (const DurationNs length : lengths) {
        RunStep step;
        step.index = static_cast<std::int64_t>(facts.steps.size()) + 10;
        step.duration_ns = length;
        facts.steps.push_back(step);
    }
    facts.median_step_ns = priced_ns;
    return facts;
}

TEST(TypicalRunStep, IsTheSteadyOneThatIsNearestToThePricedStep) {
    RunFacts facts = typicalFacts({100, 60, 49, 52, 52}, 51);
    EXPECT_EQ(typicalRunStep(facts), RunStepPosition(3)) << "of two the earlier";
    facts.steps[3].outlier = true;
    facts.steps[4].complete = false;
    EXPECT_EQ(typicalRunStep(facts), RunStepPosition(2));
}

TEST(TypicalRunStep, IsACompleteOneWhereNoneIsSteadyAndNoneWhereNoneIsComplete) {
    RunFacts facts = typicalFacts({100, 60}, 0);
    facts.steps[0].outlier = facts.steps[1].outlier = true;
    EXPECT_EQ(typicalRunStep(facts), RunStepPosition(1));
    facts.steps[1].complete = false;
    EXPECT_EQ(typicalRunStep(facts), RunStepPosition(0));
    facts.steps[0].complete = false;
    EXPECT_EQ(typicalRunStep(facts), std::nullopt);
    EXPECT_EQ(typicalRunStep(RunFacts()), std::nullopt);
}

TEST(TypicalRunStep, SpansItsRanksOnTheClockOfTheRun) {
    RunFacts facts = typicalFacts({100}, 100);
    facts.steps[0].by_rank = {RankStepPosition(0), std::nullopt, RankStepPosition(0)};
    facts.ranks.resize(3);
    facts.ranks[0].steps.resize(1);
    facts.ranks[0].steps[0].span = {100, 190};
    facts.ranks[2].steps.resize(1);
    facts.ranks[2].steps[0].span = {80, 150};
    RunClock clock;
    clock.ranks.resize(3);
    clock.ranks[2].offset_ns = 50;
    EXPECT_EQ(spanOnAllRanks(facts, clock, facts.steps[0]), (TimeSpan{100, 200}));
    facts.steps[0].by_rank = {};
    EXPECT_TRUE(spanOnAllRanks(facts, clock, facts.steps[0]).empty());
}

}  // namespace
}  // namespace rankscope
