// SPDX-License-Identifier: GPL-3.0-or-later
#include <type_traits>

#include "core/analysis/stages.h"
#include "core/analysis/steps/run_steps.h"
#include "core/analysis/steps/step_bounds.h"
#include "core/base/statistics.h"
#include "tests/support/fact_checks.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

std::vector<MeasuredStep> stepsOf(ModelBuilder& model) {
    AnalysedRank analysed = analyseRank(model.build(), NameRules::builtIn());
    checkFacts(analysed.facts);
    return std::move(analysed.facts.steps);
}

TimeSpan microseconds(std::int64_t start, std::int64_t end) {
    return {start * 1000, end * 1000};
}

TEST(Steps, AStepReachesToTheEndOfTheWorkThatItLaunched) {
    auto [model, main, stream] = threadAndStream();
    model.step(main, 5, 0, 100);
    model.step(main, 6, 100, 100);
    model.kernel(main, 10, 5, stream, "a", 20, 130);
    model.kernel(main, 110, 5, stream, "b", 160, 100);
    const auto steps = stepsOf(model);
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps[0].index, 5);
    EXPECT_EQ(steps[0].span, microseconds(0, 150));
    EXPECT_EQ(steps[1].span, microseconds(150, 260));
    EXPECT_EQ(steps[1].host, microseconds(100, 200));
}

TEST(Steps, AStepStartsAfterTheWorkThatWasLaunchedBeforeIt) {
    auto [model, main, stream] = threadAndStream();
    model.kernel(main, 0, 5, stream, "before", 10, 190);
    model.step(main, 1, 100, 200);
    model.kernel(main, 110, 5, stream, "own", 210, 50);
    EXPECT_EQ(stepsOf(model).at(0).span, microseconds(200, 300));
}

TEST(Steps, WorkWithoutALaunchBelongsWhereItsStreamPutsIt) {
    auto [model, main, stream] = threadAndStream();
    model.slice(stream, Category::Kernel, "launched before the window", 5, 145);
    model.step(main, 1, 100, 200);
    model.kernel(main, 110, 5, stream, "own", 160, 50);
    model.slice(stream, Category::Kernel, "record of the launch lost", 220, 180);
    EXPECT_EQ(stepsOf(model).at(0).span, microseconds(150, 400));
}

TEST(Steps, AnyThreadOfTheProcessLaunchesForTheStep) {
    ModelBuilder model;
    const auto main = model.thread("1");
    const auto autograd = model.thread("2");
    const auto stream = model.stream("7");
    model.step(main, 1, 0, 100);
    model.kernel(autograd, 50, 5, stream, "backward", 60, 100);
    EXPECT_EQ(stepsOf(model).at(0).span, microseconds(0, 160));
}

TEST(Steps, MarksOfTheDeviceAreNoSteps) {
    auto [model, main, stream] = threadAndStream();
    model.step(main, 1, 0, 100);
    model.kernel(main, 50, 5, stream, "k", 60, 30);
    model.slice(stream, Category::GpuAnnotation, "ProfilerStep#1", 60, 30);
    EXPECT_EQ(stepsOf(model).size(), 1U);
}

TEST(Steps, LostDeviceRecordsMakeAStepIncompleteAndSayHowMany) {
    auto [model, main, stream] = threadAndStream();
    model.step(main, 1, 0, 100);
    model.kernel(main, 10, 5, stream, "k", 20, 10);
    model.step(main, 2, 100, 100);
    model.kernel(main, 110, 5, stream, "k", 120, 10);
    model.call(main, "cudaLaunchKernel", 130, 5);
    const auto steps = stepsOf(model);
    EXPECT_TRUE(steps.at(0).complete);
    EXPECT_FALSE(steps.at(1).complete);
    EXPECT_EQ(steps.at(1).incomplete_reason, "1 of its 2 kernel launches have no GPU record");
}

TEST(Steps, ManyLostDeviceRecordsAreReadByTheirThousands) {
    auto [model, main, stream] = threadAndStream();
    model.step(main, 1, 0, 5000);
    model.kernel(main, 10, 5, stream, "k", 20, 10);
    for (int call = 0; call < 1036; ++call) {
        model.call(main, "cudaLaunchKernel", 40 + 4 * call, 2);
    }
    EXPECT_EQ(stepsOf(model).at(0).incomplete_reason, "1,036 of its 1,037 kernel launches have no GPU record");
}

TEST(Steps, ADriverCallInsideARuntimeCallIsOneLaunch) {
    auto [model, main, stream] = threadAndStream();
    model.step(main, 1, 0, 100);
    model.call(main, "cudaLaunchKernel", 10, 10);
    const auto driver = model.slice(main, Category::Driver, "cuLaunchKernel", 12, 5);
    model.launch(driver, model.slice(stream, Category::Kernel, "k", 20, 10));
    EXPECT_TRUE(stepsOf(model).at(0).complete);
}

TEST(Steps, AStepThatLaunchedNothingIsIncomplete) {
    auto [model, main, stream] = threadAndStream();
    model.step(main, 1, 0, 100);
    model.kernel(main, 10, 5, stream, "k", 20, 10);
    model.step(main, 2, 100, 5);
    EXPECT_EQ(stepsOf(model).at(1).incomplete_reason, "it launched no GPU work");
}

TEST(Steps, ThatAreHiddenByOneWrongDurationNameItsSlice) {
    auto [model, main, stream] = threadAndStream();
    model.step(main, 5, 0, 100);
    model.step(main, 6, 100, 100);
    model.kernel(main, 10, 5, stream, "overrun", 20, 3'000'000);
    model.kernel(main, 110, 5, stream, "b", 160, 100);
    const auto steps = stepsOf(model);
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_FALSE(steps[1].complete);
    EXPECT_NE(steps[1].incomplete_reason.find("overrun runs for 3.0"), std::string::npos) << steps[1].incomplete_reason;
}

TEST(Steps, WithoutMarksNamedRangesAreSteps) {
    ModelBuilder model;
    const auto main = model.thread("1");
    model.slice(main, Category::UserAnnotation, "step_7", 0, 50);
    model.slice(main, Category::UserAnnotation, "step_8", 50, 50);
    const AnalysedRank analysed = analyseRank(model.build(), NameRules::builtIn());
    EXPECT_EQ(analysed.facts.step_source, StepSource::NamedRange);
    ASSERT_EQ(analysed.facts.steps.size(), 2U);
    EXPECT_EQ(analysed.facts.steps[1].index, 8);
    EXPECT_FALSE(analysed.facts.steps[1].partition.has_value());
}

TEST(Steps, WithoutRangesTheEndsOfOneOptimizersStepsAre) {
    ModelBuilder model;
    const auto main = model.thread("1");
    for (int i = 0; i < 4; ++i) {
        model.slice(main, Category::UserAnnotation, "Optimizer.step#Adam.step", 100 * i + 80, 10);
    }
    model.slice(main, Category::UserAnnotation, "Optimizer.step#SGD.step", 95, 2);
    const AnalysedRank analysed = analyseRank(model.build(), NameRules::builtIn());
    EXPECT_EQ(analysed.facts.step_source, StepSource::OptimizerStep);
    ASSERT_EQ(analysed.facts.steps.size(), 3U);
    EXPECT_EQ(analysed.facts.steps[0].host, microseconds(90, 190));
}

TEST(Steps, WithoutOptimizersTheStartsOfTheDataLoadersWaitsAre) {
    ModelBuilder model;
    const auto main = model.thread("1");
    for (int i = 0; i < 3; ++i) {
        model.slice(main, Category::UserAnnotation, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__",
                    100 * i, 10);
    }
    const AnalysedRank analysed = analyseRank(model.build(), NameRules::builtIn());
    EXPECT_EQ(analysed.facts.step_source, StepSource::DataLoaderNext);
    ASSERT_EQ(analysed.facts.steps.size(), 2U);
    EXPECT_EQ(analysed.facts.steps[1].host, microseconds(100, 200));
}

TEST(Steps, WithNothingToGoByTheWindowIsOneStep) {
    auto [model, main, stream] = threadAndStream();
    model.kernel(main, 10, 5, stream, "k", 20, 10);
    const AnalysedRank analysed = analyseRank(model.build(), NameRules::builtIn());
    EXPECT_EQ(analysed.facts.step_source, StepSource::WholeWindow);
    ASSERT_EQ(analysed.facts.steps.size(), 1U);
    EXPECT_EQ(analysed.facts.steps[0].span, microseconds(10, 30));
}

TEST(Steps, SlotsAreInsideAndBetweenMarks) {
    const std::vector<StepMark> marks = {{0, {10, 20}, {}}, {1, {20, 30}, {}}, {2, {40, 50}, {}}};
    EXPECT_EQ(slotOf(marks, DeviceEvent::kBeforeAll), StepOrGap::before(RankStepPosition(0)));
    EXPECT_EQ(slotOf(marks, 10), StepOrGap::inside(RankStepPosition(0)));
    EXPECT_EQ(slotOf(marks, 20), StepOrGap::inside(RankStepPosition(1)));
    EXPECT_EQ(slotOf(marks, 30), StepOrGap::before(RankStepPosition(2)));
    EXPECT_EQ(slotOf(marks, 49), StepOrGap::inside(RankStepPosition(2)));
    EXPECT_EQ(slotOf(marks, 50), StepOrGap::before(RankStepPosition(3)));
}

TEST(Steps, ASlotNamesItsStepOnlyInsideIt) {
    EXPECT_EQ(StepOrGap::inside(RankStepPosition(4)).step(), 4U);
    EXPECT_EQ(StepOrGap::before(RankStepPosition(4)).step(), std::nullopt);
    EXPECT_EQ(StepOrGap::inside(RankStepPosition(4)).stepOrNext(), 4U);
    EXPECT_EQ(StepOrGap::before(RankStepPosition(4)).stepOrNext(), 4U);
    EXPECT_EQ(StepOrGap(), StepOrGap::before(RankStepPosition(0)));
}

TEST(Steps, SlotsAreOrderedByTime) {
    const std::vector<StepOrGap> by_time = {
        StepOrGap::before(RankStepPosition(0)), StepOrGap::inside(RankStepPosition(0)),
        StepOrGap::before(RankStepPosition(1)), StepOrGap::inside(RankStepPosition(1)),
        StepOrGap::before(RankStepPosition(2))};
    EXPECT_EQ(std::ranges::adjacent_find(by_time, std::ranges::greater_equal()), by_time.end());
}

TEST(Steps, SlotsByTheStepsOwnNumbersReachTheLargestNumber) {
    constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
    EXPECT_LT(NumberedStepOrGap::before(kLast), NumberedStepOrGap::inside(kLast));
    EXPECT_LT(NumberedStepOrGap::inside(kLast - 1), NumberedStepOrGap::before(kLast));
}

TEST(Steps, EachSlotHasATimeOfItsOwn) {
    SlotTimes times(2, -1);
    times[StepOrGap::before(RankStepPosition(0))] = 10;
    times[StepOrGap::inside(RankStepPosition(1))] = 20;
    times[StepOrGap::before(RankStepPosition(2))] = 30;
    const SlotTimes& seen = times;
    EXPECT_EQ(seen[StepOrGap::before(RankStepPosition(0))], 10);
    EXPECT_EQ(seen[StepOrGap::inside(RankStepPosition(0))], -1);
    EXPECT_EQ(seen[StepOrGap::before(RankStepPosition(1))], -1);
    EXPECT_EQ(seen[StepOrGap::inside(RankStepPosition(1))], 20);
    EXPECT_EQ(seen[StepOrGap::before(RankStepPosition(2))], 30);
}

// An integer is no slot and a slot no integer; nor is a slot by position one by number.
static_assert(!std::is_convertible_v<RankStepPosition, StepOrGap> &&
              !std::is_convertible_v<StepOrGap, RankStepPosition>);
static_assert(!std::is_convertible_v<StepOrGap, NumberedStepOrGap> &&
              !std::is_convertible_v<NumberedStepOrGap, StepOrGap>);

std::vector<MeasuredRank> ranksWith(const std::vector<std::vector<MeasuredStep>>& steps) {
    std::vector<MeasuredRank> ranks(steps.size());
    for (std::size_t r = 0; r < steps.size(); ++r) {
        ranks[r].steps = steps[r];
    }
    return ranks;
}

/// Four marks of 10 us each, and a kernel of 90 us for each of them, without any launch.
AnalysedRank withoutLaunches(double marks_us) {
    ThreadAndStream rank = threadAndStream();
    for (int i = 0; i < 4; ++i) {
        rank.model.step(rank.thread, i, marks_us * i, marks_us);
        rank.model.slice(rank.stream, Category::Kernel, "gemm", 5 + 100 * i, 90);
    }
    return analyseRank(rank.model.build(), NameRules::builtIn());
}

TEST(StepMarks, OfAHostThatRunsAheadSayNothingOfWorkWithoutLaunches) {
    const AnalysedRank ahead = withoutLaunches(10);
    EXPECT_EQ(ahead.facts.step_source, StepSource::WholeWindow);
    ASSERT_EQ(ahead.facts.steps.size(), 1U);
    EXPECT_EQ(ahead.facts.steps[0].span, (TimeSpan{0, 395'000}));
}

TEST(StepMarks, ThatHoldTheWorkCountWithoutLaunchesToo) {
    const AnalysedRank beside = withoutLaunches(100);
    EXPECT_EQ(beside.facts.step_source, StepSource::ProfilerStep);
    EXPECT_EQ(beside.facts.steps.size(), 4U);
}

MeasuredStep stepOf(std::int64_t index, TimeNs start_ns, TimeNs end_ns) {
    MeasuredStep step;
    step.index = index;
    step.span = {start_ns, end_ns};
    return step;
}

RunClock clockOf(std::size_t ranks) {
    RunClock clock;
    clock.ranks.resize(ranks);
    return clock;
}

TEST(RunSteps, AStepLastsFromTheLastEndToTheLastEndOnOneClock) {
    auto ranks = ranksWith({{stepOf(1, 0, 100), stepOf(2, 100, 210)}, {stepOf(1, -5, 90), stepOf(2, 90, 190)}});
    RunClock clock = clockOf(2);
    clock.ranks[1].offset_ns = 30;
    const auto steps = pairSteps(ranks, clock);
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps[0].duration_ns, 120);  // 0 to 90 + 30
    EXPECT_EQ(steps[1].duration_ns, 100);  // 120 to 190 + 30
}

TEST(RunSteps, TheFirstThatWasReadLastsFromTheEndOfTheStepBeforeThatWasNot) {
    auto ranks = ranksWith({{stepOf(5, 130, 200), stepOf(6, 200, 300)}, {stepOf(5, 120, 190), stepOf(6, 190, 280)}});
    ranks[0].step_before = {4, 110};
    ranks[1].step_before = {4, 90};
    RunClock clock = clockOf(2);
    clock.ranks[1].offset_ns = 30;
    const auto steps = pairSteps(ranks, clock);
    EXPECT_EQ(steps.at(0).duration_ns, 100);  // 90 + 30 to 190 + 30
    EXPECT_TRUE(steps.at(0).follows);
    EXPECT_EQ(stepDurations(steps, {{{130, 180}, {180, 300}}, {{120, 190}, {190, 280}}}, clock).at(0), 100);
    // What is not the step before says nothing of this one's start.
    ranks[0].step_before = {2, 110};
    ranks[1].step_before = {};
    EXPECT_EQ(pairSteps(ranks, clock).at(0).duration_ns, 90);  // 130 to 220
    EXPECT_FALSE(pairSteps(ranks, clock).at(0).follows);
}

TEST(RunSteps, AStepAfterAPauseOfTheProfilerDoesNotHoldThePause) {
    auto ranks = ranksWith({{stepOf(1, 0, 100), stepOf(20, 5000, 5100)}});
    EXPECT_EQ(pairSteps(ranks, clockOf(1)).at(1).duration_ns, 100);
}

TEST(RunSteps, AStepThatOneRankLacksIsPairedWithoutIt) {
    auto ranks = ranksWith({{stepOf(1, 0, 100), stepOf(2, 100, 200)}, {stepOf(2, 100, 200)}});
    const auto steps = pairSteps(ranks, clockOf(2));
    EXPECT_FALSE(steps.at(0).by_rank.at(1).has_value());
    EXPECT_EQ(steps.at(1).by_rank.at(1), 0U);
}

TEST(RunSteps, RanksWithoutAMomentInCommonAreNotPaired) {
    auto ranks = ranksWith({{stepOf(1, 0, 100), stepOf(2, 100, 200)}, {stepOf(1, 900'000, 900'100)}});
    const auto steps = pairSteps(ranks, clockOf(2));
    ASSERT_EQ(steps.size(), 3U);
    for (const RunStep& step : steps) {
        EXPECT_EQ(step.duration_ns, 100);
        EXPECT_NE(step.by_rank[0].has_value(), step.by_rank[1].has_value());
    }
}

TEST(RunSteps, AMuchLongerStepIsAnOutlierAndSaysSo) {
    std::vector<MeasuredStep> own;
    TimeNs at_ns = 0;
    for (const TimeNs length : {181'600'000, 123'900'000, 126'800'000, 126'300'000, 124'000'000}) {
        own.push_back(stepOf(static_cast<std::int64_t>(own.size()), at_ns, at_ns + length));
        at_ns += length;
    }
    auto ranks = ranksWith({own});
    const auto steps = pairSteps(ranks, clockOf(1));
    EXPECT_TRUE(steps[0].outlier);
    EXPECT_FALSE(steps[1].outlier);
    EXPECT_EQ(steps[0].outlier_reason, "it took 181.6 ms (median 126.3 ms); the first step of a window often warms up");
}

/// The steps of a run of one rank that lasted so long one after another.
std::vector<RunStep> stepsOf(const std::vector<DurationNs>& lengths) {
    std::vector<MeasuredStep> own;
    TimeNs at_ns = 0;
    for (const DurationNs length : lengths) {
        own.push_back(stepOf(static_cast<std::int64_t>(own.size()), at_ns, at_ns + length));
        at_ns += length;
    }
    return pairSteps(ranksWith({own}), clockOf(1));
}

std::size_t leftOut(const std::vector<RunStep>& steps) {
    return static_cast<std::size_t>(std::ranges::count(steps, true, &RunStep::outlier));
}

TEST(RunSteps, ALongStepAmongManyIsLeftOutAndTheMedianStands) {
    std::vector<DurationNs> lengths(40, 100);
    lengths[20] = 200;
    const std::vector<RunStep> steps = stepsOf(lengths);
    EXPECT_TRUE(steps[20].outlier);
    EXPECT_EQ(leftOut(steps), 1U);
    EXPECT_EQ(basisOf(steps), StepBasis::Median);
}

TEST(RunSteps, LongStepsThatAreManyCountAndTheMeanStands) {
    std::vector<DurationNs> lengths(29, 158);
    for (std::size_t i = 8; i < lengths.size(); i += 2) {
        lengths[i] = 500;
    }
    const std::vector<RunStep> steps = stepsOf(lengths);
    EXPECT_EQ(leftOut(steps), 0U);
    EXPECT_EQ(basisOf(steps), StepBasis::Mean);
}

TEST(RunSteps, OfTwoKindsOfStepsTheMeanStandsWhicheverOfThemIsTheMedian) {
    std::vector<DurationNs> lengths(12, 700);
    for (const std::size_t i : {2U, 5U, 6U, 9U}) {
        lengths[i] = 300;  // the collector was not at work: four of twelve
    }
    EXPECT_EQ(leftOut(stepsOf(lengths)), 0U);
    EXPECT_EQ(basisOf(stepsOf(lengths)), StepBasis::Mean);
    lengths[2] = lengths[5] = lengths[6] = 680;
    EXPECT_EQ(basisOf(stepsOf(lengths)), StepBasis::Median) << "one that is short does not make it another run";
}

TEST(RunSteps, OfTwoKindsThatDifferByLessThanAQuarterTheMeanStandsToo) {
    std::vector<DurationNs> lengths(12, 1000);
    for (std::size_t i = 4; i <= 8; ++i) {
        lengths[i] = 1180;
    }
    EXPECT_EQ(basisOf(stepsOf(lengths)), StepBasis::Mean) << "the median hides 8 % of the time";
    lengths[7] = lengths[8] = 1000;
    lengths[6] = 1020;
    EXPECT_EQ(basisOf(stepsOf(lengths)), StepBasis::Median) << "two steps and a bit are no kind of their own";
    EXPECT_EQ(basisOf(stepsOf({900, 1000, 1010, 1030, 1060, 1100, 1150, 1210, 1280, 1330, 960, 980})),
              StepBasis::Median)
        << "steps that all differ are of one kind";
}

TEST(RunSteps, OneStepThatTakesATenthOfTheTimeCounts) {
    std::vector<DurationNs> lengths(40, 100);
    lengths[20] = 1000;
    const std::vector<RunStep> steps = stepsOf(lengths);
    EXPECT_EQ(leftOut(steps), 0U);
    EXPECT_EQ(basisOf(steps), StepBasis::Mean);
}

TEST(RunSteps, AWarmUpThatOpensTheWindowIsLeftOutWhateverTheOthersDo) {
    const std::vector<RunStep> steps = stepsOf({900, 100, 100, 100, 400, 100, 400});
    EXPECT_TRUE(steps[0].outlier);
    EXPECT_EQ(leftOut(steps), 1U);
    EXPECT_EQ(basisOf(steps), StepBasis::Mean);
}

TEST(RunSteps, OfTwoStepsNoneIsAnOutlier) {
    const std::vector<DurationNs> two = {100, 10'000};
    EXPECT_EQ(findOutliers(two), (std::vector<bool>{false, false}));
}

TEST(RunSteps, ASteadySpreadHasNoOutliers) {
    const std::vector<DurationNs> spread = {100, 140, 180, 120, 160, 200};
    EXPECT_EQ(findOutliers(spread), std::vector<bool>(6, false));
}

TEST(RunSteps, TheMedianIsAValueThatWasMeasured) {
    EXPECT_EQ(lowerMedian<DurationNs>({}), 0);
    EXPECT_EQ(lowerMedian<DurationNs>({3, 1, 2}), 2);
    EXPECT_EQ(lowerMedian<DurationNs>({4, 1, 3, 2}), 2);
}

}  // namespace
}  // namespace rankscope::test
