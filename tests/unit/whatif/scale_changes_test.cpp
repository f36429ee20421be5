// SPDX-License-Identifier: GPL-3.0-or-later
// Other numbers of ranks, other batches and other devices, against runs that are really so.
#include "core/base/format.h"
#include "core/whatif/rank_spread.h"
#include "tests/accuracy/simulated_run.h"
#include "tests/support/analysed.h"
#include "tests/support/model_builder.h"
#include "tests/support/pipeline_job.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"
#include "tests/tracegen/machine/faults.h"
#include "tests/tracegen/machine/job_faults.h"
#include "tests/tracegen/machine/simulate.h"
#include "tests/tracegen/simulate.h"
#include "tests/unit/whatif/told.h"

namespace rankscope::test {
namespace {

/// A job with a host for each rank.
tracegen::Config generated(int ranks) {
    tracegen::Config config;
    config.ranks = ranks;
    config.clocks.resize(static_cast<std::size_t>(ranks));
    config.steps = 8;
    config.seed = 7;
    config.loader.batch_ns = 20'000'000;
    return config;
}

std::shared_ptr<const WhatIfRun> generatedRun(const tracegen::Config& config) {
    return forecastable(accuracy::analyseAlone(accuracy::loadSimulated(tracegen::simulate(config))));
}

double trueStep(const tracegen::Config& config) {
    return static_cast<double>(tracegen::median(tracegen::simulate(config).stepTimes()));
}

/// The forecast of a change over the truth.
void expectNear(const Forecast& forecast, double true_ns, double error, const std::string& what) {
    const double ratio = static_cast<double>(forecast.forecast_ns) / true_ns;
    EXPECT_NEAR(ratio, 1, error) << what;
    EXPECT_EQ(forecast.after.total(), forecast.forecast_ns);
}

TEST(ScaleChanges, OfRanksAreWithinFivePercentOfTheGeneratedRunWithSoMany) {
    for (const auto& [before, after] : {std::pair(4, 8), std::pair(2, 16), std::pair(8, 4)}) {
        expectNear(forecastFor(*generatedRun(generated(before)), "world=" + std::to_string(after)),
                   trueStep(generated(after)), 0.05, std::to_string(before) + " to " + std::to_string(after));
    }
}

TEST(ScaleChanges, OfRanksHoldWhereLinksAreSlow) {
    tracegen::Config four = generated(4);
    four.bus_gb_per_s = 6;
    tracegen::Config eight = generated(8);
    eight.bus_gb_per_s = 6;
    expectNear(forecastFor(*generatedRun(four), "world=8"), trueStep(eight), 0.05, "slow links, 4 to 8");
}

TEST(ScaleChanges, OfRanksOnTheMachineAreWithinFivePercentOfTheMachineWithSoMany) {
    tracegen::machine::Config four = tracegen::machine::healthyConfig(3, 4);
    four.hosts.resize(4, four.hosts.front());
    tracegen::machine::Config eight = tracegen::machine::healthyConfig(3, 8);
    eight.hosts.resize(8, eight.hosts.front());
    const auto run = forecastable(accuracy::analyseSimulated(tracegen::machine::simulate(four)));
    expectNear(forecastFor(*run, "world=8"), static_cast<double>(tracegen::machine::simulate(eight).meanStep()), 0.05,
               "machine, 4 to 8");
}

TEST(ScaleChanges, OfRanksComposeWithFasterLinks) {
    tracegen::Config four = generated(4);
    four.bus_gb_per_s = 6;
    tracegen::Config eight = generated(8);
    eight.bus_gb_per_s = 12;
    const auto run = generatedRun(four);
    expectNear(forecastFor(*run, "world=8; link:x2"), trueStep(eight), 0.05, "4 to 8 with links twice as fast");
    const auto turned_ns = static_cast<double>(forecastFor(*run, "link:x2; world=8").forecast_ns);
    EXPECT_NEAR(static_cast<double>(forecastFor(*run, "world=8; link:x2").forecast_ns) / turned_ns, 1, 0.001);
}

TEST(ScaleChanges, ToManyRanksGrowWithTheirNumberAndSoDoesTheRange) {
    const auto run = generatedRun(generated(4));
    const Forecast few = forecastFor(*run, "world=8");
    const Forecast many = forecastFor(*run, "world=512");
    EXPECT_GT(many.forecast_ns, few.forecast_ns);
    EXPECT_GT(many.high_ns - many.low_ns, few.high_ns - few.low_ns);
    const Forecast same = forecastFor(*run, "world=4");
    EXPECT_EQ(same.forecast_ns, same.step_ns);
}

TEST(ScaleChanges, OfHostsTakeTheRanksOfAHost) {
    tracegen::Config config = generated(16);
    config.clocks.clear();  // eight ranks share a host
    config.layers = 4;
    config.steps = 4;
    const auto run = generatedRun(config);
    EXPECT_EQ(forecastFor(*run, "hosts=4").forecast_ns, forecastFor(*run, "world=32").forecast_ns);
    EXPECT_THAT(told(*run, "world=8").why_not,
                HasSubstr("8 ranks fit on one host, and no link inside a host is fitted."));
    EXPECT_THAT(told(*run, "hosts=4; world=8").why_not, HasSubstr("exclude each other"));
}

TEST(ScaleChanges, OfHostsLeaveTheGroupsInsideAHostAsTheyAre) {
    // FSDP2 in hybrid shards: two ranks of a host share parameters, and two hosts have replicas.
    const auto job = [](int hosts) {
        tracegen::machine::Config config = tracegen::machine::jobConfig("hsdp2", 4);
        config.steps = 4;
        config.job->data = 2 * hosts;
        tracegen::machine::resizeJob(config, 2 * hosts);
        config.hosts.resize(static_cast<std::size_t>(hosts), config.hosts.front());
        return tracegen::machine::simulate(config);
    };
    const auto run = forecastable(accuracy::analyseSimulated(job(2)));
    expectNear(forecastFor(*run, "hosts=4"), static_cast<double>(job(4).meanStep()), 0.05, "hybrid shards");
    EXPECT_EQ(forecastFor(*run, "hosts=4").forecast_ns, forecastFor(*run, "world=8").forecast_ns);
}

TEST(ScaleChanges, OfRanksAreRefusedWithTheReason) {
    tracegen::Config one_host = generated(4);
    one_host.clocks.clear();
    const auto run = generatedRun(one_host);
    EXPECT_THAT(told(*run, "world=8").why_not,
                HasSubstr("8 ranks do not fit on one host of 4 GPUs, and no link between hosts is fitted."));
    EXPECT_THAT(told(*run, "world=1").why_not, HasSubstr("2 to 100,000 ranks here, not 1."));
    for (const char* bad : {"world=0", "world=-4", "world=all", "world=", "hosts=0", "hosts=two", "batch:x0",
                            "batch:x-1", "batch:2", "batch:xF", "gpu:"}) {
        EXPECT_NE(told(*run, bad).why_not, "") << bad;
    }
    EXPECT_THAT(told(*generatedRun(generated(1)), "world=8").why_not,
                HasSubstr("The run has one rank: nothing shows what it takes to join ranks."));
    EXPECT_THAT(told(*forecastable(analyse(runOf(oneFOneBJob()))), "world=8").why_not,
                HasSubstr("only of a data-parallel job"));
}

TEST(ScaleChanges, OfRanksThatHaveDifferentTablesAreRefused) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    EXPECT_THAT(told(*forecastable(loadAndAnalyse(realTraces() / "dlrm_8ranks_v100")), "world=16").why_not,
                HasSubstr("Ranks send each other parts of one model's work"));
}

TEST(ScaleChanges, OfTheBatchScaleWhatDependsOnIt) {
    const tracegen::Config before = generated(4);
    tracegen::Config after = before;
    after.kernel_scale = 2;
    const auto run = generatedRun(before);
    const Forecast twice = forecastFor(*run, "batch:x2");
    expectNear(twice, trueStep(after), 0.05, "batch:x2");
    const Forecast half = forecastFor(*run, "batch:x0.5");
    EXPECT_LT(half.forecast_ns, half.step_ns);
    EXPECT_GT(2 * half.forecast_ns, half.step_ns) << "launches, the optimizer and transfers stay";
    const Forecast strong = forecastFor(*run, "world=8; batch:x0.5");
    EXPECT_LT(strong.forecast_ns, forecastFor(*run, "world=8").forecast_ns);
}

/// Steps of 1 ms with a forward of 100 us, whose activation lives to the end of the backward, and an optimizer of 10
/// us.
AnalysedRun jobWithActivations(std::int64_t bytes) {
    ModelBuilder builder;
    const std::uint32_t main = builder.thread("main");
    const std::uint32_t stream = builder.stream("7");
    for (int step = 0; step < 4; ++step) {
        const double at_us = 1'000.0 * step;
        const std::uint64_t address = 100 + static_cast<std::uint64_t>(step);
        builder.step(main, step, at_us, 1'000);
        builder.slice(main, Category::UserAnnotation, "forward", at_us + 100, 300);
        builder.slice(main, Category::UserAnnotation, "backward", at_us + 500, 300);
        builder.op(main, "aten::mm", at_us + 150, 40);
        builder.kernel(main, at_us + 160, 5, stream, "gemm", at_us + 170, 100);
        builder.op(main, "Optimizer.step#AdamW.step", at_us + 900, 50);
        builder.kernel(main, at_us + 910, 5, stream, "adam", at_us + 920, 10);
        builder.block(at_us + 150, address, bytes);
        builder.block(at_us + 700, address, -bytes);
    }
    return analyse(runOf({builder.build()}));
}

TEST(ScaleChanges, OfTheBatchLeaveTheLaunchFloorAndTheOptimizer) {
    const auto run = forecastable(jobWithActivations(3'000'000));
    const Forecast forecast = forecastFor(*run, "batch:x3");
    EXPECT_EQ(forecast.before.compute_ns, 110'000);
    EXPECT_EQ(forecast.after.compute_ns, 10'000 + 10'000 + 3 * 90'000);
    EXPECT_THAT(forecast.notes,
                testing::Contains(AllOf(HasSubstr("At the peak, activations take "), HasSubstr(formatBytes(3'000'000)),
                                        HasSubstr("about " + formatBytes(9'000'000) + " then."))));
}

TEST(ScaleChanges, OfTheDeviceFollowItsPeaks) {
    const auto run = generatedRun(generated(2));
    const Forecast same = forecastFor(*run, "gpu:A100 SXM, 80 GB");
    EXPECT_EQ(same.forecast_ns, same.step_ns) << "generated runs are on it";
    const Forecast faster = forecastFor(*run, "gpu:h200");
    EXPECT_LT(faster.forecast_ns, faster.step_ns);
    EXPECT_TRUE(faster.at_most);
    EXPECT_GE(faster.high_ns, faster.step_ns);
    EXPECT_THAT(faster.notes, testing::Contains(HasSubstr("Taken as H200 SXM")));
    EXPECT_GT(forecastFor(*run, "gpu:L4").forecast_ns, same.step_ns);
    EXPECT_THAT(told(*run, "gpu:H10").why_not, HasSubstr("is no device of the table of peaks; did you mean"));
    EXPECT_THAT(told(*run, "gpu:H200; precision:bf16").why_not, HasSubstr("exclude each other"));
}

TEST(SlowestRanks, AreTheLargestOfNormalDraws) {
    EXPECT_NEAR(largestOf(1), 0, 1e-6);
    EXPECT_NEAR(largestOf(2), 0.56419, 1e-4);
    EXPECT_NEAR(largestOf(4), 1.02938, 1e-4);
    EXPECT_NEAR(largestOf(100), 2.50759, 1e-4);
}

}  // namespace
}  // namespace rankscope::test
