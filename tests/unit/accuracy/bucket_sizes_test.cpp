// SPDX-License-Identifier: GPL-3.0-or-later
// The step by bucket_cap_mb as it is told from one run, against the same run on the machine with each of these caps.

#include "core/diagnosis/prices/fit_band.h"
#include "tests/accuracy/bucket_models.h"
#include "tests/support/testing.h"
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

TEST(BucketSizes, OneSizeDoesNotSeparateLatencyFromBandwidth) {
    BucketModel one = kTrained;
    one.bucket_mb = 1000;
    const BucketForecast forecast = forecastOf(one);
    EXPECT_EQ(forecast.today.size(), 1U);
    EXPECT_TRUE(forecast.caps.empty());
    EXPECT_NE(forecast.reason.find("the same size"), std::string::npos) << forecast.reason;
}

/// Four transfers of 1 MB and four of 50, by a line of 50 us and 10 GB/s, each off by this share, up and down in turns.
CollectiveFacts transfersOff(double share) {
    CollectiveFacts facts;
    for (int i = 0; i < 8; ++i) {
        Collective one;
        one.kind = CollectiveKind::AllReduce;
        one.bytes = i < 4 ? 1'000'000 : 50'000'000;
        const double ns = 50e3 + static_cast<double>(*one.bytes) / 10;
        one.transfer_ns = std::llround(ns * (i % 2 == 0 ? 1 + share : 1 - share));
        facts.collectives.push_back(one);
    }
    return facts;
}

TEST(BucketSizes, ALineThroughTwoSizesMayBeOffAndMoreSoAwayFromThem) {
    TransferFit fit;
    fit.kind = CollectiveKind::AllReduce;
    fit.latency_ns = 50'000;
    fit.gb_per_s = 10;
    const FitBand exact(fit, transfersOff(0).collectives);
    EXPECT_TRUE(exact.told());
    EXPECT_EQ(exact.at(200'000'000), 0);
    const FitBand band(fit, transfersOff(0.1).collectives);
    // By hand: residuals of 0.1 on 6 degrees of freedom are a deviation of 0.115, the mean of four of 1 MB that by
    // half: 0.0577 x 150 us x 2.447.
    EXPECT_NEAR(static_cast<double>(band.at(1'000'000)), 21.2e3, 1e3);
    EXPECT_GT(band.at(0), 0);
    EXPECT_GT(band.at(200'000'000), 4 * band.at(50'000'000)) << "beyond the largest it widens faster than sizes do";
    const FitBand few(fit, {transfersOff(0.1).collectives.front()});
    EXPECT_FALSE(few.told());
    EXPECT_EQ(few.at(1'000'000), 0);
}

}  // namespace
}  // namespace rankscope::accuracy
