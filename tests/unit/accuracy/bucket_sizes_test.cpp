// SPDX-License-Identifier: GPL-3.0-or-later
// The step by bucket_cap_mb as it is told from one run, against the same run on the machine with each of these caps.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/accuracy/bucket_models.h"
#include "tests/tracegen/machine/simulate.h"

namespace rankscope::accuracy {
namespace {

/// Those that the way to tell it was chosen on; docs/accuracy.md has others.
const std::vector<BucketModel> kModels = {
    {.seed = 100, .blocks = 8, .gb_per_s = 60},
    {.seed = 101, .blocks = 8, .gb_per_s = 20, .bucket_mb = 10},
    {.seed = 102, .blocks = 8, .gb_per_s = 8, .bucket_mb = 5},
    {.seed = 103, .ranks = 2, .blocks = 16, .gb_per_s = 40},
    {.seed = 104, .blocks = 16, .block_parameters = 6'000'000, .device_scale = 1.5, .gb_per_s = 60, .bucket_mb = 50},
    {.seed = 105, .blocks = 6, .block_parameters = 12'000'000, .device_scale = 2, .gb_per_s = 100},
    {.seed = 106, .blocks = 12, .device_scale = 0.7, .gb_per_s = 10, .latency_ns = 300'000, .bucket_mb = 5},
    {.seed = 107, .blocks = 24, .block_parameters = 1'200'000, .gb_per_s = 30, .latency_ns = 120'000, .bucket_mb = 10},
    {.seed = 108,
     .ranks = 8,
     .blocks = 10,
     .block_parameters = 4'000'000,
     .device_scale = 1.2,
     .gb_per_s = 15,
     .latency_ns = 60'000},
    {.seed = 109, .blocks = 12, .block_parameters = 3'000'000, .gb_per_s = 12, .latency_ns = 500'000, .bucket_mb = 100},
};

BucketForecast forecastOf(const BucketModel& model) {
    return forecastBucketsOf(tracegen::machine::simulate(model.with(model.bucket_mb)));
}

TEST(BucketSizes, TheBestIsWithinOneSizeOfTheMachinesBest) {
    std::vector<BucketScore> scores;
    std::string steps;
    for (const BucketModel& model : kModels) {
        scores.push_back(judge(model));
        ASSERT_TRUE(scores.back().told()) << stepsText(scores.back());
        steps += stepsText(scores.back());
    }
    EXPECT_TRUE(holds(scores)) << steps;
}

TEST(BucketSizes, FreshModelsDifferInAllThatMatters) {
    const std::vector<BucketModel> models = freshBucketModels();
    EXPECT_GE(models.size(), 30U);
    for (const int ranks : {2, 4, 8, 16}) {
        EXPECT_TRUE(std::ranges::any_of(models, [ranks](const BucketModel& model) { return model.ranks == ranks; }));
    }
    EXPECT_LT(std::ranges::min(models, {}, &BucketModel::gb_per_s).gb_per_s, 8);
    EXPECT_GT(std::ranges::max(models, {}, &BucketModel::gb_per_s).gb_per_s, 75);
}

TEST(BucketSizes, TodaysSizeGivesTodaysStep) {
    const BucketForecast forecast = forecastOf(kModels[1]);
    const auto today = std::ranges::find(forecast.caps, 10, &BucketCap::mb);
    ASSERT_NE(today, forecast.caps.end());
    EXPECT_NEAR(static_cast<double>(today->step_ns), static_cast<double>(forecast.step_ns),
                0.01 * static_cast<double>(forecast.step_ns));
    EXPECT_EQ(today->buckets, forecast.today.size());
    EXPECT_TRUE(today->error_ns.has_value());
}

TEST(BucketSizes, ListsTheBucketsInTheOrderInWhichTheyAreSent) {
    const BucketForecast forecast = forecastOf(kModels[1]);
    ASSERT_GT(forecast.today.size(), 2U);
    EXPECT_TRUE(std::ranges::is_sorted(forecast.today, {}, &TypicalBucket::ready_ns));
    EXPECT_LT(forecast.today.front().bytes, forecast.today_bytes) << "the first is closed at 1 MiB";
    EXPECT_GT(forecast.today.front().transfer_ns, 0);
}

TEST(BucketSizes, OneSizeDoesNotTellLatencyFromBandwidth) {
    BucketModel one = kModels[1];
    one.bucket_mb = 1000;
    const BucketForecast forecast = forecastOf(one);
    EXPECT_EQ(forecast.today.size(), 1U);
    EXPECT_TRUE(forecast.caps.empty());
    EXPECT_NE(forecast.reason.find("one size"), std::string::npos) << forecast.reason;
}

}  // namespace
}  // namespace rankscope::accuracy
