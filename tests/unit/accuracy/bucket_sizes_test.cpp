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

const BucketModel kTrained = {.seed = 101, .blocks = 8, .gb_per_s = 20, .bucket_mb = 10};

BucketForecast forecastOf(const BucketModel& model) {
    return forecastBucketsOf(tracegen::machine::simulate(model.with(model.bucket_mb)));
}

TEST(BucketSizes, TheBestIsWithinOneSizeOfTheMachinesBest) {
    std::vector<BucketScore> scores;
    std::string steps;
    std::vector<BucketModel> models = freshBucketModels();
    models.resize(10);  // docs/accuracy.md has all
    for (const BucketModel& model : models) {
        scores.push_back(judge(model));
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
    const BucketForecast forecast = forecastOf(kTrained);
    const auto today = std::ranges::find(forecast.caps, 10, &BucketCap::mb);
    ASSERT_NE(today, forecast.caps.end());
    EXPECT_NEAR(static_cast<double>(today->step_ns), static_cast<double>(forecast.step_ns),
                0.01 * static_cast<double>(forecast.step_ns));
    EXPECT_EQ(today->buckets, forecast.today.size());
    EXPECT_TRUE(today->error_ns.has_value());
}

TEST(BucketSizes, ListsTheBucketsInTheOrderInWhichTheyAreSent) {
    const BucketForecast forecast = forecastOf(kTrained);
    ASSERT_GT(forecast.today.size(), 2U);
    EXPECT_TRUE(std::ranges::is_sorted(forecast.today, {}, &TypicalBucket::ready_ns));
    EXPECT_LT(forecast.today.front().bytes, forecast.today_bytes) << "the first is closed at 1 MiB";
    EXPECT_GT(forecast.today.front().transfer_ns, 0);
}

TEST(BucketSizes, OneSizeDoesNotTellLatencyFromBandwidth) {
    BucketModel one = kTrained;
    one.bucket_mb = 1000;
    const BucketForecast forecast = forecastOf(one);
    EXPECT_EQ(forecast.today.size(), 1U);
    EXPECT_TRUE(forecast.caps.empty());
    EXPECT_NE(forecast.reason.find("one size"), std::string::npos) << forecast.reason;
}

}  // namespace
}  // namespace rankscope::accuracy
