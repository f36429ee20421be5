// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/difference.h"

#include <ostream>

#include "core/compare/compare_runs.h"
#include "tests/support/analysed.h"
#include "tests/support/places.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

using Samples = std::vector<DurationNs>;

Samples inMilliseconds(const std::vector<double>& values) {
    Samples out;
    for (const double value : values) {
        out.push_back(std::llround(value * 1e6));
    }
    return out;
}

/// The variance of the median of all `n` to the n samples that can be drawn from these.
double varianceOfAllDraws(const Samples& samples) {
    const std::size_t n = samples.size();
    std::size_t draws = 1;
    for (std::size_t i = 0; i < n; ++i) {
        draws *= n;
    }
    double sum = 0;
    double squares = 0;
    for (std::size_t draw = 0; draw < draws; ++draw) {
        Samples drawn;
        for (std::size_t i = 0, rest = draw; i < n; ++i, rest /= n) {
            drawn.push_back(samples[rest % n]);
        }
        std::ranges::sort(drawn);
        const auto median = static_cast<double>(drawn[n / 2]);
        sum += median;
        squares += median * median;
    }
    const auto count = static_cast<double>(draws);
    return squares / count - (sum / count) * (sum / count);
}

/// Step times about 100 ms, spread by `spread` of it; a normal distribution from twelve uniform draws.
Samples drawn(std::mt19937_64& chance, std::size_t count, double spread, double factor = 1) {
    Samples out;
    for (std::size_t i = 0; i < count; ++i) {
        double normal = -6;
        for (int k = 0; k < 12; ++k) {
            normal += static_cast<double>(chance() >> 11U) * 0x1.0p-53;
        }
        out.push_back(std::llround(1e8 * factor * (1 + spread * normal)));
    }
    return out;
}

TEST(StepDifference, TheStandardErrorIsThatOfTheBootstrapOverAllDraws) {
    for (const std::vector<double>& values :
         {std::vector<double>{101, 99, 104}, std::vector<double>{101, 99, 104, 97.5, 100}}) {
        const Samples samples = inMilliseconds(values);
        EXPECT_NEAR(centreOf(samples).standard_error_ns, std::sqrt(varianceOfAllDraws(samples)), 1);
    }
}

TEST(StepDifference, TheMedianWasMeasuredAndTheMiddleOfAnEvenNumberIsBetweenTwo) {
    const StepCentre even = centreOf({40, 10, 30, 21});
    EXPECT_EQ(even.median_ns, 21);
    EXPECT_EQ(even.middle_ns, 25);
    EXPECT_EQ(centreOf({40, 10, 30}).median_ns, 30);
    EXPECT_EQ(centreOf({40, 10, 30}).middle_ns, 30);
    EXPECT_EQ(centreOf({7}).median_ns, 7);
}

TEST(StepDifference, AnEvenNumberOfStepsMakesARunNoFasterThanAnOddOne) {
    // The same two kinds of steps; their lower median is 100 of twelve and 104 of thirteen.
    Samples odd;
    for (int i = 0; i < 13; ++i) {
        odd.push_back(i % 2 == 0 ? 104'000'000 : 100'000'000);
    }
    const Samples even(odd.begin(), odd.end() - 1);
    const StepDifference step = differenceOf(odd, even);
    EXPECT_EQ(step.difference_ns, -4'000'000);
    EXPECT_EQ((step.interval_ns->low + step.interval_ns->high) / 2, -2'000'000) << "of 104 and of 102 in the middle";
}

TEST(StepDifference, ARunThatTakesClearlyLessIsFaster) {
    const StepDifference step =
        differenceOf(inMilliseconds({176, 174, 177, 181}), inMilliseconds({124, 127, 126, 125}));
    EXPECT_EQ(step.verdict, StepVerdict::Faster);
    EXPECT_EQ(step.difference_ns, -51'000'000);
    ASSERT_TRUE(step.interval_ns);
    EXPECT_LT(step.interval_ns->low, -51'000'000);
    EXPECT_GT(step.interval_ns->high, -51'000'000);
    EXPECT_LT(step.interval_ns->high, 0);
    EXPECT_NEAR(*step.share, -51.0 / 176.0, 1e-12);
    EXPECT_LT(step.means->p, 0.001);
    EXPECT_LT(step.means->hedges_g, -5);
    EXPECT_FALSE(step.steps_needed);
}

TEST(StepDifference, TheOtherWayRoundItIsSlowerByAsMuch) {
    const Samples slow = inMilliseconds({176, 174, 177, 181});
    const Samples fast = inMilliseconds({124, 127, 126, 125, 130});
    const StepDifference there = differenceOf(slow, fast);
    const StepDifference back = differenceOf(fast, slow);
    EXPECT_EQ(back.verdict, StepVerdict::Slower);
    EXPECT_EQ(back.difference_ns, -there.difference_ns);
    EXPECT_EQ(back.interval_ns->low, -there.interval_ns->high);
    EXPECT_EQ(back.interval_ns->high, -there.interval_ns->low);
    EXPECT_NEAR(back.means->t, -there.means->t, 1e-9);
}

TEST(StepDifference, WelchsTestIsThatOfTheTables) {
    const StepDifference step = differenceOf(inMilliseconds({1, 2, 3}), inMilliseconds({2, 3, 4}));
    ASSERT_TRUE(step.means);
    EXPECT_NEAR(step.means->t, 1.224745, 1e-6);
    EXPECT_NEAR(step.means->df, 4, 1e-9);
    EXPECT_NEAR(step.means->p, 0.287864, 1e-6);
}

TEST(StepDifference, ARunAgainstItselfShowsNoDifference) {
    const Samples steps = inMilliseconds({100, 100.4, 99.8, 100.1, 99.9, 100.2});
    const StepDifference step = differenceOf(steps, steps);
    EXPECT_EQ(step.verdict, StepVerdict::NoDifferenceSeen);
    EXPECT_EQ(step.difference_ns, 0);
    EXPECT_EQ(step.interval_ns->low, -step.interval_ns->high);
}

TEST(StepDifference, WideNoiseCannotBeJudgedAndSaysHowManyStepsWould) {
    const StepDifference step = differenceOf(inMilliseconds({100, 130, 90, 115}), inMilliseconds({105, 95, 125, 118}));
    EXPECT_EQ(step.verdict, StepVerdict::CannotJudge);
    ASSERT_TRUE(step.steps_needed);
    EXPECT_GT(*step.steps_needed, 20U);
}

TEST(StepDifference, TheRequestedNumberOfStepsShowsWhatIsWorthSeeingInFourOfFiveCases) {
    std::mt19937_64 chance(5);
    // What is asked for depends on the few steps at hand, so the middle of many askings counts.
    std::vector<std::size_t> asked;
    for (int i = 0; i < 101; ++i) {
        const StepDifference few = differenceOf(drawn(chance, 10, 0.06), drawn(chance, 10, 0.06));
        asked.push_back(few.steps_needed.value_or(0));
    }
    std::ranges::sort(asked);
    const std::size_t enough = asked[50];
    constexpr int kPairs = 400;
    int shown = 0;
    for (int i = 0; i < kPairs; ++i) {
        const StepDifference step = differenceOf(drawn(chance, enough, 0.06), drawn(chance, enough, 0.06, 1.05));
        shown += step.verdict == StepVerdict::Slower ? 1 : 0;
    }
    EXPECT_GT(shown, kPairs * 7 / 10) << enough;
    EXPECT_LT(shown, kPairs * 9 / 10) << enough;
}

TEST(StepDifference, FewerThanThreeStepsCannotBeJudged) {
    const StepDifference step = differenceOf(inMilliseconds({100, 100}), inMilliseconds({50, 50, 50}));
    EXPECT_EQ(step.verdict, StepVerdict::CannotJudge);
    EXPECT_FALSE(step.interval_ns);
    EXPECT_EQ(step.difference_ns, -50'000'000);
    const StepDifference none = differenceOf({}, inMilliseconds({50, 50, 50}));
    EXPECT_EQ(none.verdict, StepVerdict::CannotJudge);
    EXPECT_FALSE(none.share);
}

TEST(StepDifference, EqualStepsAreNotKnownBetterThanTheirFilesSay) {
    const StepDifference same = differenceOf({1'000'000, 1'000'000, 1'000'000}, {1'000'000, 1'000'000, 1'000'000});
    EXPECT_EQ(same.verdict, StepVerdict::NoDifferenceSeen);
    const StepDifference nearly = differenceOf({1'000'000, 1'000'000, 1'000'000}, {1'000'400, 1'000'400, 1'000'400});
    EXPECT_EQ(nearly.verdict, StepVerdict::NoDifferenceSeen) << "0.4 us is below what old files resolve";
}

TEST(StepDifference, BothIntervalsContainZeroOrNeitherDoes) {
    std::mt19937_64 chance(11);
    int apart = 0;
    for (int i = 0; i < 400; ++i) {
        const StepDifference step =
            differenceOf(drawn(chance, 4 + static_cast<std::size_t>(i % 5), 0.02), drawn(chance, 6, 0.03, 1.03));
        const bool ns = step.interval_ns->low <= 0 && step.interval_ns->high >= 0;
        const bool share = step.share_interval->low <= 1e-8 && step.share_interval->high >= -1e-8;
        apart += ns ? 0 : 1;
        EXPECT_EQ(ns, share) << i;
    }
    EXPECT_GT(apart, 50);
    EXPECT_LT(apart, 350);
}

TEST(StepDifference, StepsThatDriftTogetherWidenTheInterval) {
    std::mt19937_64 chance(3);
    const Samples apart = drawn(chance, 40, 0.02);
    Samples drifting = apart;
    std::ranges::sort(drifting);  // the same values, neighbours alike
    EXPECT_GT(*centreOf(drifting).neighbours, 0.8);
    EXPECT_LT(std::abs(*centreOf(apart).neighbours), 0.35);
    EXPECT_GT(centreOf(drifting).standard_error_ns, 2.5 * centreOf(apart).standard_error_ns);
    EXPECT_EQ(centreOf(drifting).median_ns, centreOf(apart).median_ns);
    EXPECT_FALSE(centreOf(drawn(chance, 7, 0.02)).neighbours) << "too few to tell";
}

TEST(StepDifference, FewSamplesThatDoNotOverlapAreJudgedByTheirOrder) {
    // One odd step makes the bootstrap of a median unsure; the order of 5 and 5 that do not overlap is p = 2 / 252.
    const StepDifference step =
        differenceOf(inMilliseconds({100, 101, 125, 102, 124}), inMilliseconds({131, 160, 133, 158, 135}));
    ASSERT_TRUE(step.ranks);
    EXPECT_NEAR(step.ranks->p, 2.0 / 252, 1e-9);
    EXPECT_EQ(step.verdict, StepVerdict::Slower);
    EXPECT_LE(step.interval_ns->low, step.difference_ns);
    EXPECT_GE(step.interval_ns->high, step.difference_ns);
    EXPECT_LE(step.interval_ns->low, step.ranks->shift_ns);
    EXPECT_GE(step.interval_ns->high, step.ranks->shift_ns);
    EXPECT_GE(step.ranks->confidence, kConfidence);
}

TEST(StepDifference, TheOrderOfThreeAndThreeProvesNothingAndOfManyIsNotNeeded) {
    EXPECT_FALSE(differenceOf(inMilliseconds({1, 2, 3}), inMilliseconds({7, 8, 9})).ranks);
    EXPECT_TRUE(differenceOf(inMilliseconds({1, 2, 3}), inMilliseconds({5, 6, 7, 8, 9})).ranks);
    std::mt19937_64 chance(2);
    EXPECT_FALSE(differenceOf(drawn(chance, 8, 0.02), drawn(chance, 9, 0.02)).ranks);
}

TEST(RankTest, IsThatOfTheTables) {
    // Hollander and Wolfe's example 4.1 in their order: U = 15 of 5 and 10, p = 0.2544 on both sides.
    const std::optional<RankTest> test =
        testRanks(inMilliseconds({1.15, 0.88, 0.90, 0.74, 1.21}),
                  inMilliseconds({0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}), 0.95);
    ASSERT_TRUE(test);
    EXPECT_NEAR(test->p, 0.2544, 1e-4);
    EXPECT_EQ(test->shift_ns, 305'000);
    EXPECT_NEAR(test->confidence, 0.96, 0.01);
}

TEST(RankTest, SharesRanksAmongEqualSamples) {
    // Of the six ways to deal 1, 2, 2, 3 to two and two, two are as odd as {1, 2} against {2, 3} or odder on each side.
    const std::optional<RankTest> test = testRanks({1, 2}, {2, 3}, 0.5);
    ASSERT_TRUE(test);
    EXPECT_NEAR(test->p, 4.0 / 6, 1e-12);
}

struct Sizes {
    std::size_t a;
    std::size_t b;
};
void PrintTo(const Sizes& sizes, std::ostream* out) {
    *out << sizes.a << " against " << sizes.b;
}

class FalseAlarms : public testing::TestWithParam<Sizes> {};

TEST_P(FalseAlarms, AreAtMostFiveInAHundredWithoutADifference) {
    std::mt19937_64 chance(17);
    constexpr int kPairs = 4000;
    int alarms = 0;
    for (int i = 0; i < kPairs; ++i) {
        const StepDifference step = differenceOf(drawn(chance, GetParam().a, 0.02), drawn(chance, GetParam().b, 0.02));
        alarms += step.verdict == StepVerdict::Faster || step.verdict == StepVerdict::Slower ? 1 : 0;
    }
    EXPECT_LE(alarms, kPairs / 20);
    EXPECT_GE(alarms, kPairs / 200) << "an interval that never alarms judges nothing";
}

INSTANTIATE_TEST_SUITE_P(OfSteps, FalseAlarms,
                         testing::Values(Sizes{3, 3}, Sizes{3, 6}, Sizes{4, 4}, Sizes{6, 6}, Sizes{5, 30},
                                         Sizes{20, 20}));

TEST(StepDifference, TheMediansAreThoseThatEachRunShows) {
    const AnalysedRun a = loadAndAnalyse(sample("ZeroWorkers"));
    const AnalysedRun b = loadAndAnalyse(sample("FourWorkers"));
    const StepDifference step = compareRuns(a, b).step;
    EXPECT_EQ(step.a.median_ns, a.facts.median_step_ns);
    EXPECT_EQ(step.b.median_ns, b.facts.median_step_ns);
    EXPECT_EQ(step.difference_ns, b.facts.median_step_ns - a.facts.median_step_ns);
}

}  // namespace
}  // namespace rankscope::test
