// SPDX-License-Identifier: GPL-3.0-or-later
// Forecasts of remedies against runs that have them, simulated and recorded. docs/accuracy.md has all.
#include <set>

#include "tests/accuracy/forecast_score.h"
#include "tests/support/places.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::accuracy {
namespace {

TEST(Forecasts, ContainWhatTheChangeSavesInNineOfTen) {
    std::vector<ForecastScore> scores;
    std::set<std::string> remedies;
    const std::vector<ForecastCase> cases = forecastCases();
    for (std::size_t i = 0; i < cases.size(); i += 3) {
        scores.push_back(judge(cases[i]));
        remedies.insert(scores.back().told() ? scores.back().row : "");
    }
    EXPECT_TRUE(holds(scores)) << markdownOf(scores);
    EXPECT_GE(std::ranges::count_if(scores, &ForecastScore::told), 15);
    for (const char* remedy : {"first-workers", "more-workers", "pinned-memory", "overlap", "smaller-buckets"}) {
        EXPECT_TRUE(remedies.contains(remedy)) << remedy;
    }
}

TEST(Forecasts, HaveMoreThanFiftySimulatedPairsOfDifferentSeeds) {
    const std::vector<ForecastCase> cases = forecastCases();
    std::set<std::uint64_t> seeds;
    for (const ForecastCase& one : cases) {
        seeds.insert(one.before.seed);
        EXPECT_EQ(one.before.seed, one.after.seed) << one.name;
    }
    EXPECT_GE(cases.size(), 50U);
    EXPECT_EQ(seeds.size(), cases.size());
}

TEST(Forecasts, OfTheSampleContainItsOtherRun) {
    const std::vector<RecordedPair> pairs = recordedPairs(test::realTraces(), test::sample(""));
    const auto sample = std::ranges::find(pairs, "resources/samples", &RecordedPair::name);
    ASSERT_NE(sample, pairs.end());
    const ForecastScore score = judge(*sample);
    EXPECT_EQ(score.skipped, "");
    EXPECT_TRUE(score.inRange()) << markdownOf(std::vector{score});
}

TEST(Forecasts, OfARecordedJobContainTheSameJobWithWorkers) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    for (const RecordedPair& pair : recordedPairs(test::realTraces(), test::sample(""))) {
        const ForecastScore score = judge(pair);
        EXPECT_TRUE(score.inRange()) << markdownOf(std::vector{score});
    }
}

TEST(Forecasts, OfFilesThatAreMissingAreSkippedWithAReason) {
    const RecordedPair pair{"none", "first-workers", "dataloader-stall", {"/no/such/place"}, {"/no/such/place"}};
    const ForecastScore score = judge(pair);
    EXPECT_EQ(score.skipped, "there is no place");
    EXPECT_FALSE(score.told());
    EXPECT_TRUE(holds(std::vector{score}));
}

TEST(Forecasts, AreOutWhereTheyMissByAnything) {
    ForecastScore score;
    score.finding = "dataloader-stall";
    score.low_ns = 10;
    score.high_ns = 20;
    score.measured_ns = 9;
    EXPECT_FALSE(score.inRange());
    EXPECT_FALSE(holds(std::vector{score}));
    score.measured_ns = 10;
    EXPECT_TRUE(holds(std::vector{score}));
}

}  // namespace
}  // namespace rankscope::accuracy
