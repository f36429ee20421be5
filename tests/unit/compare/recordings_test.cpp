// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/recordings.h"

#include <cmath>
#include <random>

#include "core/compare/compare_runs.h"
#include "core/compare/sides.h"
#include "tests/accuracy/simulated_run.h"
#include "tests/support/analysed.h"
#include "tests/support/places.h"
#include "tests/support/testing.h"
#include "tests/tracegen/config_of.h"

namespace rankscope::test {
namespace {

using Recordings = std::vector<Recording>;

/// Recordings of eight steps that hardly differ, with these medians in milliseconds.
Recordings recordingsOf(const std::vector<double>& medians_ms) {
    Recordings out;
    for (const double median : medians_ms) {
        std::vector<DurationNs> steps;
        for (int i = 0; i < 8; ++i) {
            steps.push_back(std::llround(median * 1e6) + (i % 2 == 0 ? 1 : -1) * (i + 1) * 1000);
        }
        out.push_back({"run", centreOf(steps), {}});
    }
    return out;
}

StepAnswer answerFor(const Recordings& a, const Recordings& b, double matters = kMatters) {
    return answerOf(a, b, StepDifference(), matters);
}

double normalDraw(std::mt19937_64& chance) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) {
        sum += static_cast<double>(chance() >> 11U) * 0x1.0p-53;
    }
    return sum;
}

Recordings drawnAround(std::mt19937_64& chance, std::size_t count, double factor) {
    std::vector<double> medians;
    for (std::size_t i = 0; i < count; ++i) {
        medians.push_back(100 * factor * (1 + 0.01 * normalDraw(chance)));
    }
    return recordingsOf(medians);
}

TEST(Recordings, GiveStudentsIntervalOfTheRatioOfTheirMeans) {
    // By hand: logarithms of 99, 100, 101 and of 104, 105, 106 ms; 4 degrees of freedom, t = 2.7764.
    const StepAnswer answer = answerFor(recordingsOf({99, 100, 101}), recordingsOf({104, 105, 106}));
    EXPECT_EQ(answer.verdict, StepVerdict::Slower);
    EXPECT_EQ(answer.spread.value().freedom, 4U);
    const double square_a = std::pow(std::log(1.01), 2) / 2 + std::pow(std::log(0.99), 2) / 2;
    EXPECT_NEAR(answer.spread->share, std::sqrt(square_a), 4e-4);
    const double half = 2.7764 * answer.spread->share * std::sqrt(2.0 / 3);
    EXPECT_NEAR(answer.share_interval.value().low, 1.05 * std::exp(-half) - 1, 2e-4);
    EXPECT_NEAR(answer.share_interval->high, 1.05 * std::exp(half) - 1, 2e-4);
    EXPECT_NEAR(answer.share.value(), 0.05, 1e-4);
    EXPECT_EQ(answer.difference_ns, answer.b_ns - answer.a_ns);
    EXPECT_LE(answer.interval_ns.value().low, answer.difference_ns);
    EXPECT_GE(answer.interval_ns->high, answer.difference_ns);
}

TEST(Recordings, AreTheUnitForAnyNumberOfSteps) {
    // Hundreds of steps say where one recording is; they do not say where the next one will be.
    Recordings a = recordingsOf({98, 102});
    Recordings b = recordingsOf({99, 104});
    for (Recordings* side : {&a, &b}) {
        for (Recording& one : *side) {
            one.step.samples = 500;
            one.step.standard_error_ns = 100;
        }
    }
    const StepAnswer answer = answerFor(a, b);
    EXPECT_EQ(answer.verdict, StepVerdict::CannotJudge);
    EXPECT_LT(answer.share_interval.value().low, 0);
    EXPECT_GT(answer.recordings_needed.value(), 5U);
}

TEST(Recordings, AreNotCloserThanTheirOwnStepsAllow) {
    Recordings a = recordingsOf({100, 100, 100});
    Recordings b = recordingsOf({102, 102, 102});
    for (Recordings* side : {&a, &b}) {
        for (Recording& one : *side) {
            one.step.standard_error_ns = 3e6;
        }
    }
    const StepAnswer answer = answerFor(a, b);
    EXPECT_NEAR(answer.spread.value().share, 0.03, 1e-3);
    EXPECT_EQ(answer.verdict, StepVerdict::CannotJudge);
}

TEST(Recordings, OfABaselineJudgeASingleNewOne) {
    const Recordings baseline = recordingsOf({99.5, 100, 100.5, 99.8, 100.2});
    EXPECT_EQ(answerFor(baseline, recordingsOf({108})).verdict, StepVerdict::Slower);
    EXPECT_EQ(answerFor(baseline, recordingsOf({92})).verdict, StepVerdict::Faster);
    EXPECT_NE(answerFor(baseline, recordingsOf({100.6})).verdict, StepVerdict::Slower);
}

TEST(Recordings, OneEachAreADifferenceOfRecordingsForAnySpreadOfSteps) {
    const Recordings a = recordingsOf({100});
    const Recordings b = recordingsOf({150});
    const StepDifference steps = differenceOf({100'000'000, 100'010'000, 100'020'000, 100'030'000, 100'040'000},
                                              {150'000'000, 150'010'000, 150'020'000, 150'030'000, 150'040'000});
    ASSERT_EQ(steps.verdict, StepVerdict::Slower);
    const StepAnswer answer = answerOf(a, b, steps);
    EXPECT_EQ(answer.verdict, StepVerdict::DifferenceOfRecordings);
    EXPECT_FALSE(answer.knowsReruns());
    EXPECT_EQ(answer.difference_ns, steps.difference_ns);
    EXPECT_FALSE(answer.recordings_needed.has_value()) << "the spread of recordings is not known";
}

TEST(Recordings, DifferByNothingThatMattersBelowWhatTheUserSays) {
    const Recordings a = recordingsOf({99.9, 100, 100.1});
    const Recordings b = recordingsOf({102.9, 103, 103.1});
    EXPECT_EQ(answerFor(a, b, 0.01).verdict, StepVerdict::Slower);
    EXPECT_EQ(answerFor(a, b, 0.05).verdict, StepVerdict::NoDifferenceSeen);
    // 0.8 % is more than chance, but whether it is 1 % is not known.
    const Recordings little = recordingsOf({100.6, 100.8, 101});
    EXPECT_GT(answerFor(a, little).interval_ns.value().low, 0);
    EXPECT_EQ(answerFor(a, little, 0.01).verdict, StepVerdict::CannotJudge);
    EXPECT_EQ(answerFor(a, little, 0.005).verdict, StepVerdict::Slower);
}

TEST(Recordings, ThatDoNotCountChangeNothing) {
    const Recordings a = recordingsOf({99, 100, 101});
    Recordings b = recordingsOf({104, 105, 106, 300});
    b.back().left_out = "a copy";
    const StepAnswer answer = answerFor(a, b);
    EXPECT_EQ(answer.b_recordings, 3U);
    EXPECT_EQ(answer.share, answerFor(a, recordingsOf({104, 105, 106})).share);
}

TEST(Recordings, OfOneJobAreJudgedDifferentInAtMostOneOfTwentyCases) {
    std::mt19937_64 chance(7);
    for (const auto& [of_a, of_b] : {std::pair(2U, 2U), std::pair(3U, 3U), std::pair(5U, 5U), std::pair(5U, 1U)}) {
        int alarms = 0;
        constexpr int kDraws = 2000;
        for (int i = 0; i < kDraws; ++i) {
            const StepAnswer answer = answerFor(drawnAround(chance, of_a, 1), drawnAround(chance, of_b, 1));
            alarms += answer.verdict == StepVerdict::Faster || answer.verdict == StepVerdict::Slower ? 1 : 0;
        }
        EXPECT_LE(alarms, kDraws / 20 + 30) << of_a << " against " << of_b;  // three standard deviations
    }
}

TEST(Recordings, AreEnoughInFourOfFiveCasesWhereTheyAreSaidToBe) {
    std::mt19937_64 chance(11);
    const RerunSpread spread{.share = 0.01, .within = 0, .freedom = 4};
    for (const double share : {0.02, 0.03, 0.05}) {
        const std::size_t enough = recordingsNeeded(spread, share);
        int found = 0;
        constexpr int kDraws = 1000;
        for (int i = 0; i < kDraws; ++i) {
            const StepAnswer answer =
                answerFor(drawnAround(chance, enough, 1), drawnAround(chance, enough, 1 + share), 0.001);
            found += answer.verdict == StepVerdict::Slower ? 1 : 0;
        }
        EXPECT_GE(found, kDraws * 75 / 100) << share << ": " << enough;
    }
    EXPECT_EQ(recordingsNeeded({.share = 1e-6, .within = 0, .freedom = 4}, 0.01), kFewestRecordings);
    EXPECT_GT(recordingsNeeded(spread, 0.01), recordingsNeeded(spread, 0.02));
}

AnalysedRun started(std::uint64_t again, int steps = 6, int ranks = 2) {
    tracegen::Config config = tracegen::configOf(ranks, steps);
    config.layers = 4;
    config.rerun = again;
    return analyse(accuracy::loadSimulated(tracegen::simulate(config)));
}

TEST(ComparedSides, ShowTheRecordingWithTheMedianStep) {
    const AnalysedRun one = started(1);
    const AnalysedRun two = started(2);
    const AnalysedRun three = started(3);
    const ComparedSide side = sideOf({&one, &two, &three});
    std::vector<DurationNs> steps;
    for (const Recording& recording : side.recordings) {
        EXPECT_TRUE(recording.counts()) << recording.left_out;
        steps.push_back(recording.step.middle_ns);
    }
    const DurationNs shown = steps.at(side.shown);
    std::ranges::sort(steps);
    EXPECT_EQ(shown, steps.at(1));
}

TEST(ComparedSides, CountACopyOfARecordingOnce) {
    const AnalysedRun one = started(1);
    const AnalysedRun two = started(2);
    const ComparedSide side = sideOf({&one, &two, &one});
    EXPECT_TRUE(side.recordings[1].counts());
    EXPECT_THAT(side.recordings[2].left_out, HasSubstr("a copy"));
    const RunComparison comparison = compareSides({&one, &one, &one}, {&two, &two, &two});
    EXPECT_FALSE(comparison.answer.knowsReruns()) << "copies show nothing of re-runs";
    EXPECT_NE(comparison.answer.verdict, StepVerdict::Faster);
    EXPECT_NE(comparison.answer.verdict, StepVerdict::Slower);
}

TEST(ComparedSides, LeaveOutWhatSaysTooLittleAndNoteWhatDiffers) {
    const AnalysedRun one = started(1);
    const AnalysedRun short_one = started(2, 2);
    const AnalysedRun larger = started(3, 6, 4);
    const ComparedSide side = sideOf({&short_one, &one, &larger});
    EXPECT_THAT(side.recordings[0].left_out, HasSubstr("fewer than 3"));
    EXPECT_TRUE(side.recordings[1].counts());
    EXPECT_TRUE(side.recordings[2].counts());
    ASSERT_EQ(side.notes.size(), 1U);
    EXPECT_THAT(side.notes.front(), HasSubstr("2 ranks and 4 ranks"));
}

TEST(ComparedSides, SaySlowerOnlyWithSeveralRecordings) {
    tracegen::Config slow = tracegen::configOf(2, 6);
    slow.layers = 4;
    slow.kernel_scale = 2;
    std::vector<AnalysedRun> after;
    for (const std::uint64_t again : {1U, 2U, 3U}) {
        slow.rerun = 10 + again;
        after.push_back(analyse(accuracy::loadSimulated(tracegen::simulate(slow))));
    }
    const std::vector<AnalysedRun> before = {started(1), started(2), started(3)};
    const RunComparison several =
        compareSides({before.data(), &before[1], &before[2]}, {after.data(), &after[1], &after[2]});
    EXPECT_EQ(several.answer.verdict, StepVerdict::Slower);
    EXPECT_THAT(comparisonHeadline(several), testing::StartsWith("Slower: a step takes "));
    EXPECT_THAT(comparisonVerdict(several), HasSubstr("from 3 and 3 recordings"));
    EXPECT_TRUE(isRegression(several, 5));
    EXPECT_EQ(unseenRegression(several, 5), "");
    const RunComparison one_each = compareRuns(before[0], after[0]);
    EXPECT_EQ(one_each.answer.verdict, StepVerdict::DifferenceOfRecordings);
    EXPECT_THAT(comparisonHeadline(one_each), testing::StartsWith("Difference of recordings: a step takes "));
    EXPECT_THAT(comparisonVerdict(one_each), HasSubstr("One recording each: a re-run alone can do this."));
    EXPECT_THAT(comparisonVerdict(one_each), Not(HasSubstr("Slower")));
}

TEST(ComparedSides, OfOneRecordingEachAreARegressionBeyondWhatRerunsDo) {
    const AnalysedRun one = started(1);
    RunComparison comparison = compareRuns(one, one);
    comparison.answer.verdict = StepVerdict::DifferenceOfRecordings;
    comparison.answer.interval_ns = NsInterval{1'000'000, 2'000'000};
    comparison.answer.share_interval = ShareInterval{0.2, 0.3};
    EXPECT_FALSE(isRegression(comparison, 5)) << "a re-run alone can do this";
    EXPECT_THAT(unseenRegression(comparison, 5),
                AllOf(HasSubstr("One recording each"), HasSubstr("3 or more recordings"), HasSubstr("--against")));
    comparison.answer.share_interval = ShareInterval{1.5, 2};
    EXPECT_TRUE(isRegression(comparison, 5));
    EXPECT_EQ(unseenRegression(comparison, 5), "");
    EXPECT_FALSE(isRegression(comparison, 160));
}

TEST(ComparedSides, OfSeveralRecordingsSayHowManyWouldBeEnoughForAGate) {
    RunComparison comparison = compareRuns(started(1), started(1));
    comparison.answer = answerFor(recordingsOf({97, 100, 103}), recordingsOf({99, 103, 107}));
    ASSERT_EQ(comparison.answer.verdict, StepVerdict::CannotJudge);
    EXPECT_FALSE(isRegression(comparison, 2));
    EXPECT_THAT(unseenRegression(comparison, 2),
                AllOf(HasSubstr("cannot rule out"), HasSubstr("recordings of each side would be enough to see 2.0 %")));
    EXPECT_EQ(unseenRegression(comparison, 50), "") << "that is ruled out";
}

}  // namespace
}  // namespace rankscope::test
