// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/step_spread.h"

#include "core/analysis/device/memory_use.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

RunFacts stepsOfLengths(const std::vector<DurationNs>& lengths) {
    RunFacts facts;
    for (const DurationNs length : lengths) {
        RunStep step;
        step.duration_ns = length;
        facts.steps.push_back(step);
    }
    return facts;
}

TEST(StepSpread, HalfOfTheSteadyStepsLieBetweenTheQuartiles) {
    RunFacts facts = stepsOfLengths({900, 50, 10, 30, 20, 40, 700});
    facts.steps[0].outlier = true;
    facts.steps[6].complete = false;
    const StepSpread spread = stepSpread(facts);
    EXPECT_EQ(spread.steps, 5U);
    EXPECT_EQ(spread.lower_quartile_ns, 20);
    EXPECT_EQ(spread.median_ns, 30);
    EXPECT_EQ(spread.upper_quartile_ns, 40);
}

TEST(StepSpread, OfNothingIsNothing) {
    EXPECT_EQ(stepSpread(stepsOfLengths({})).steps, 0U);
    EXPECT_EQ(stepSpread(stepsOfLengths({})).median_ns, 0);
}

TEST(StepSpread, LatenessIsTheMedianOfSteadySteps) {
    RunFacts facts = stepsOfLengths({10, 10, 10, 10});
    facts.steps[3].outlier = true;
    RankLateness late;
    late.steps = {{RunStepPosition(0), 0, 5},
                  {RunStepPosition(1), 0, 7},
                  {RunStepPosition(2), 0, 6},
                  {RunStepPosition(3), 0, 900}};
    const RankLateness none;
    facts.stragglers.ranks = {late, none};
    EXPECT_EQ(medianLateness(facts), (std::vector<DurationNs>{6, 0}));
}

TEST(StepSpread, TheTypicalStepOfARankIsThatOfTheMedianLengthAmongThoseThatCount) {
    std::vector<RankStep> steps;
    for (const DurationNs length : {900, 50, 10, 30, 20, 40}) {
        RankStep step;
        step.complete = true;
        step.span = {0, length};
        step.partition.emplace();
        steps.push_back(step);
    }
    steps[0].outlier = true;
    steps[1].complete = false;
    EXPECT_EQ(typicalStep(steps), RankStepPosition(4)) << "20, of 10, 20, 30 and 40: of two in the middle the shorter";
    steps[3].partition.reset();
    EXPECT_EQ(typicalStep(steps), RankStepPosition(4));
    steps[2].complete = false;
    EXPECT_EQ(typicalStep(steps), std::nullopt) << "none is in the middle of two";
}

MemoryTable memoryOf(std::size_t events) {
    MemoryTable memory;
    for (std::size_t i = 0; i < events; ++i) {
        memory.at_ns.push_back(static_cast<TimeNs>(i) * 10);
        memory.bytes.push_back(1);
        memory.total_allocated.push_back(i == 777 ? 1'000'000 : static_cast<std::int64_t>(i % 100));
        memory.total_reserved.push_back(2'000'000);
        memory.device.push_back(0);
    }
    return memory;
}

TEST(MemorySeries, AllEventsWhereTheyAreFew) {
    MemoryTable memory = memoryOf(10);
    memory.device[3] = -1;
    memory.total_reserved[4] = -1;
    const auto series = memorySeries(memory, 0, 100);
    ASSERT_EQ(series.size(), 8U) << "neither the host's nor what does not say";
    EXPECT_EQ(series[3].at_ns, 50);
}

TEST(MemorySeries, PeaksStayWhereThereAreMany) {
    const auto series = memorySeries(memoryOf(10'000), 0, 50);
    EXPECT_EQ(series.size(), 50U);
    std::int64_t most = 0;
    for (std::size_t i = 0; i < series.size(); ++i) {
        most = std::max(most, series[i].allocated_bytes);
        EXPECT_TRUE(i == 0 || series[i - 1].at_ns < series[i].at_ns);
    }
    EXPECT_EQ(most, 1'000'000);
}

}  // namespace
}  // namespace rankscope
