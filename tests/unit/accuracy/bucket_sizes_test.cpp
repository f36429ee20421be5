// SPDX-License-Identifier: GPL-3.0-or-later
// The step by bucket_cap_mb as it is told from one run, against the same run on the machine with each of these caps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/base/statistics.h"
#include "core/diagnosis/analysed_run.h"
#include "tests/accuracy/simulated_run.h"
#include "tests/tracegen/machine/faults.h"
#include "tests/tracegen/machine/simulate.h"
#include "tests/tracegen/machine/trace_files.h"

namespace rankscope::accuracy {
namespace {

namespace machine = tracegen::machine;

/// A network that is trained, on links of some speed.
struct Trained {
    int blocks = 8;
    std::int64_t block_parameters = 2'400'000;
    double device_scale = 1;
    double gb_per_s = 20;
    DurationNs latency_ns = 30'000;
    double bucket_mb = 25;
    int ranks = 4;
};

const std::vector<Trained> kModels = {
    {.blocks = 8, .gb_per_s = 60},
    {.blocks = 8, .gb_per_s = 20, .bucket_mb = 10},
    {.blocks = 8, .gb_per_s = 8, .bucket_mb = 5},
    {.blocks = 16, .gb_per_s = 40, .ranks = 2},
    {.blocks = 16, .block_parameters = 6'000'000, .device_scale = 1.5, .gb_per_s = 60, .bucket_mb = 50},
    {.blocks = 6, .block_parameters = 12'000'000, .device_scale = 2, .gb_per_s = 100},
    {.blocks = 12, .device_scale = 0.7, .gb_per_s = 10, .latency_ns = 300'000, .bucket_mb = 5},
    {.blocks = 24, .block_parameters = 1'200'000, .gb_per_s = 30, .latency_ns = 120'000, .bucket_mb = 10},
    {.blocks = 10,
     .block_parameters = 4'000'000,
     .device_scale = 1.2,
     .gb_per_s = 15,
     .latency_ns = 60'000,
     .ranks = 8},
    {.blocks = 12, .block_parameters = 3'000'000, .gb_per_s = 12, .latency_ns = 500'000, .bucket_mb = 100},
};

machine::Config configOf(const Trained& model, std::uint64_t seed, double bucket_mb) {
    machine::Config config = machine::healthyConfig(seed, model.ranks);
    config.steps = 10;
    config.model.step_marks = true;
    config.model.blocks = model.blocks;
    config.model.block_parameters = model.block_parameters;
    config.model.device_scale = model.device_scale;
    config.model.bucket_mb = bucket_mb;
    config.model.gradient_nodes = 4;  // one a parameter, as PyTorch has it
    config.network.bytes_per_ns = model.gb_per_s;
    config.network.latency_ns = model.latency_ns;
    config.noise.hiccups_per_mille = 0;
    return config;
}

BucketForecast forecastOf(const machine::TrueRun& run) {
    AnalysisOptions options;
    options.threads = 1;
    options.bucket_sizes = true;
    const Result<AnalysedRun> analysed = analyseRun(loadFiles(machine::writeFiles(run, {})), options, {}, {});
    return analysed.ok() && analysed.value().diagnosis.buckets ? *analysed.value().diagnosis.buckets : BucketForecast();
}

/// How many caps the one that is told to be best lies from the nearest of those with the machine's shortest step.
/// Where none is, today's counts.
std::ptrdiff_t capsApart(const BucketForecast& forecast, double today_mb, const std::vector<DurationNs>& truth) {
    const auto today = std::ranges::find_if(forecast.caps, [today_mb](const BucketCap& c) { return c.mb >= today_mb; });
    const auto told =
        static_cast<std::ptrdiff_t>(forecast.best.value_or(static_cast<std::size_t>(today - forecast.caps.begin())));
    auto apart = static_cast<std::ptrdiff_t>(truth.size());
    for (std::size_t i = 0; i < truth.size(); ++i) {
        if (truth[i] == std::ranges::min(truth)) {
            apart = std::min(apart, std::abs(told - static_cast<std::ptrdiff_t>(i)));
        }
    }
    return apart;
}

TEST(BucketSizes, TheBestIsWithinOneSizeOfTheMachinesBest) {
    std::size_t within_one = 0;
    std::string far;
    for (std::size_t m = 0; m < kModels.size(); ++m) {
        const std::uint64_t seed = 100 + m;
        const BucketForecast forecast = forecastOf(machine::simulate(configOf(kModels[m], seed, kModels[m].bucket_mb)));
        ASSERT_EQ(forecast.caps.size(), kBucketCaps.size()) << "model " << m << ": " << forecast.reason;
        std::vector<DurationNs> truth;
        std::string table;
        for (const BucketCap& cap : forecast.caps) {
            truth.push_back(machine::simulate(configOf(kModels[m], seed, cap.mb)).meanStep());
            table += " " + std::to_string(cap.mb) + ": " + std::to_string(cap.step_ns / 1000) + "/" +
                     std::to_string(truth.back() / 1000);
        }
        const std::ptrdiff_t apart = capsApart(forecast, kModels[m].bucket_mb, truth);
        within_one += apart <= 1 ? 1 : 0;
        if (apart > 1) {
            far += "model " + std::to_string(m) + ", told/true in us:" + table + "\n";
        }
    }
    EXPECT_GE(within_one, 9U) << far;
}

TEST(BucketSizes, TodaysSizeGivesTodaysStep) {
    const BucketForecast forecast = forecastOf(machine::simulate(configOf(kModels[1], 101, 10)));
    const auto today = std::ranges::find(forecast.caps, 10, &BucketCap::mb);
    ASSERT_NE(today, forecast.caps.end());
    EXPECT_NEAR(static_cast<double>(today->step_ns), static_cast<double>(forecast.step_ns),
                0.01 * static_cast<double>(forecast.step_ns));
    EXPECT_EQ(today->buckets, forecast.today.size());
    EXPECT_TRUE(today->error_ns.has_value());
}

TEST(BucketSizes, ListsTheBucketsInTheOrderInWhichTheyAreSent) {
    const BucketForecast forecast = forecastOf(machine::simulate(configOf(kModels[1], 101, 10)));
    ASSERT_GT(forecast.today.size(), 2U);
    EXPECT_TRUE(std::ranges::is_sorted(forecast.today, {}, &TypicalBucket::ready_ns));
    EXPECT_LT(forecast.today.front().bytes, forecast.today_bytes) << "the first is closed at 1 MiB";
    EXPECT_GT(forecast.today.front().transfer_ns, 0);
}

TEST(BucketSizes, OneSizeDoesNotTellLatencyFromBandwidth) {
    const BucketForecast forecast = forecastOf(machine::simulate(configOf(kModels[1], 101, 1000)));
    EXPECT_EQ(forecast.today.size(), 1U);
    EXPECT_TRUE(forecast.caps.empty());
    EXPECT_NE(forecast.reason.find("one size"), std::string::npos) << forecast.reason;
}

}  // namespace
}  // namespace rankscope::accuracy
