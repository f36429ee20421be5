// SPDX-License-Identifier: GPL-3.0-or-later
// Other ways to divide parameters and to recompute activations.
#include "tests/accuracy/simulated_run.h"
#include "tests/support/analysed.h"
#include "tests/support/loading.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"
#include "tests/support/trace_text.h"
#include "tests/tracegen/machine/job_faults.h"
#include "tests/tracegen/simulate.h"
#include "tests/unit/whatif/told.h"

namespace rankscope::test {
namespace {

std::shared_ptr<const WhatIfRun> job(const std::string& preset) {
    tracegen::machine::Config config = tracegen::machine::jobConfig(preset, 4);
    config.steps = 4;
    return forecastable(accuracy::analyseSimulated(tracegen::machine::simulate(config)));
}

std::shared_ptr<const WhatIfRun> replicas(double bus_gb_per_s = 20) {
    tracegen::Config config;
    config.bus_gb_per_s = bus_gb_per_s;
    config.loader.batch_ns = 20'000'000;
    return forecastable(accuracy::analyseAlone(accuracy::loadSimulated(tracegen::simulate(config))));
}

/// Device time of a phase in a step of the first rank, the mean.
double phaseTime(const WhatIfRun& run, Phase phase) {
    double sum_ns = 0;
    const RankFacts& rank = run.facts().ranks.front();
    for (const ByPhase<PhaseTime>& step : rank.phases.steps) {
        sum_ns += static_cast<double>(step[phase].device_ns);
    }
    return sum_ns / static_cast<double>(rank.phases.steps.size());
}

TEST(ShardChanges, FromStage3To2LeaveTheGathersOfTheBackwardOut) {
    const auto run = job("fsdp2");
    const Forecast forecast = forecastFor(*run, "zero:2");
    EXPECT_LE(forecast.forecast_ns, forecast.step_ns);
    EXPECT_THAT(forecast.notes, testing::Contains(HasSubstr("gathers less")));
    EXPECT_THAT(forecast.notes, testing::Contains(HasSubstr("of gathered parameters from the forward to the")));
    EXPECT_THAT(told(*run, "zero:3").why_not, HasSubstr("The job runs by that stage already."));
    EXPECT_THAT(told(*run, "zero:1").why_not, HasSubstr("ZeRO stage 3 can become stage 2"));
}

TEST(ShardChanges, OfReplicasScatterGradientsAndGatherParametersBehindTheOptimizer) {
    const auto run = replicas();
    const Forecast forecast = forecastFor(*run, "zero:1");
    ASSERT_EQ(forecast.costs.size(), 1U);
    const AddedTime& gathers = forecast.costs.front().added;
    EXPECT_LT(gathers.low_ns, 0) << "a next forward may hide them";
    EXPECT_EQ(gathers.likely_ns, 0);
    EXPECT_LT(forecast.low_ns, forecast.step_ns) << "a scatter is half of an all-reduce";
    EXPECT_EQ(forecastFor(*run, "zero:2").forecast_ns, forecast.forecast_ns);
    EXPECT_THAT(forecast.notes, testing::Contains(HasSubstr("shrinks to a share of 25")));
    const auto fast_ns = static_cast<double>(forecastFor(*run, "zero:1; link:x4").forecast_ns);
    EXPECT_LT(fast_ns, static_cast<double>(forecast.forecast_ns));
    EXPECT_NEAR(static_cast<double>(forecastFor(*run, "link:x4; zero:1").forecast_ns) / fast_ns, 1, 0.01);
    EXPECT_THAT(told(*run, "zero:3").why_not, HasSubstr("does not show in which units they would be gathered"));
    for (const char* bad : {"zero:0", "zero:-1", "zero:4", "zero:two", "zero:", "recompute:maybe"}) {
        EXPECT_NE(told(*run, bad).why_not, "") << bad;
    }
}

TEST(ShardChanges, OfRecomputationAddTheForwardToTheBackward) {
    const auto run = replicas(95);
    const Forecast forecast = forecastFor(*run, "recompute:on");
    const double forward_ns = phaseTime(*run, Phase::Forward);
    EXPECT_GT(forward_ns, 0);
    EXPECT_NEAR(static_cast<double>(forecast.forecast_ns - forecast.step_ns), forward_ns, 0.05 * forward_ns);
    EXPECT_THAT(told(*run, "recompute:off").why_not, HasSubstr("No matrix product is known to be recomputed"));
    EXPECT_THAT(told(*run, "recompute:on; recompute:off").why_not, HasSubstr("exclude each other"));
}

/// The machine of FSDP2 with layers of so many million parameters, with or without gathers ahead of their use.
tracegen::machine::TrueRun shardedMachine(int millions, bool prefetch) {
    tracegen::machine::Config config = tracegen::machine::jobConfig("fsdp2", 4);
    config.steps = 4;
    config.job->layer_parameters = std::int64_t{1'000'000} * millions;
    config.job->prefetch = prefetch;
    return tracegen::machine::simulate(config);
}

TEST(ShardChanges, OfPrefetchingAreWithinFivePercentOfTheMachineThatPrefetches) {
    for (const int millions : {20, 40, 80}) {
        const auto run = forecastable(accuracy::analyseSimulated(shardedMachine(millions, false)));
        const Forecast forecast = forecastFor(*run, "prefetch:1");
        const auto true_ns = static_cast<double>(shardedMachine(millions, true).meanStep());
        EXPECT_NEAR(static_cast<double>(forecast.forecast_ns) / true_ns, 1, 0.05) << millions;
        EXPECT_TRUE(forecast.at_most);
        EXPECT_LE(forecastFor(*run, "prefetch:2").forecast_ns, forecast.forecast_ns) << millions;
        EXPECT_THAT(forecast.notes, testing::Contains(HasSubstr("Up to 2 gathered units of at most")));
    }
    EXPECT_THAT(told(*replicas(), "prefetch:1").why_not, HasSubstr("it gathers none"));
    EXPECT_NE(told(*replicas(), "prefetch:0").why_not, "");
}

/// An operator with these shapes, and its kernel, `at_us` microseconds into the trace.
void addProduct(std::vector<std::string>& events, int at_us, int kernel_us) {
    const std::string id = R"("correlation": )" + std::to_string(at_us);
    const auto add = [&events](const EventLine& event) { events.push_back(eventJson(event)); };
    add({.name = "aten::bmm",
         .ts = std::to_string(at_us),
         .dur = "20",
         .args = R"("Input Dims": [[4, 1024, 1024], [4, 1024, 1024]], )"
                 R"("Input type": ["c10::BFloat16", "c10::BFloat16"])"});
    add({.category = "cuda_runtime",
         .name = "cudaLaunchKernel",
         .ts = std::to_string(at_us + 5),
         .dur = "1",
         .args = id});
    add({.category = "kernel",
         .name = "ampere_bf16_s16816gemm_bf16_tn",
         .pid = "0",
         .tid = "7",
         .ts = std::to_string(at_us + 50),
         .dur = std::to_string(kernel_us),
         .args = id + R"(, "device": 0, "stream": 7)"});
}

TEST(ShardChanges, WithoutRecomputationLeaveTheMarkedProductsOut) {
    constexpr int kStepUs = 1'000;
    std::vector<std::string> events;
    for (int step = 0; step < 4; ++step) {
        const int at_us = kStepUs * step;
        events.push_back(eventJson({.category = "user_annotation",
                                    .name = "ProfilerStep#" + std::to_string(step + 1),
                                    .ts = std::to_string(at_us),
                                    .dur = std::to_string(kStepUs),
                                    .args = {}}));
        for (const char* name :
             {"autograd::engine::evaluate_function: CheckpointFunctionBackward", "CheckpointFunctionBackward"}) {
            events.push_back(
                eventJson({.name = name, .ts = std::to_string(at_us + 300), .dur = std::to_string(650), .args = {}}));
        }
        addProduct(events, at_us + 100, 200);
        addProduct(events, at_us + 400, 600);
    }
    const auto prepared = forecastable(analyse(runOf({loadText(traceJson(events))})));
    const Forecast forecast = forecastFor(*prepared, "recompute:off");
    EXPECT_GT(forecast.step_ns, forecast.forecast_ns);
    EXPECT_EQ(forecast.after.compute_ns, 200'000) << "the product of the forward alone";
    EXPECT_THAT(told(*prepared, "recompute:on").why_not, HasSubstr("The job recomputes already."));
}

}  // namespace
}  // namespace rankscope::test
