// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs that are launched for the first time, and code that is loaded.

#include "core/analysis/stages.h"
#include "tests/support/analysed.h"
#include "tests/support/fact_checks.h"
#include "tests/support/headline_check.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// Steps of one graph of ten kernels, launched again and again; another one is launched from a step on.
struct GraphJob {
    double upload_us = 0;  ///< that the first launch of the second graph takes longer
    int second_from = 3;
    double load_us = 0;  ///< of code, in the first launch of each step
    int steps = 8;
};

std::shared_ptr<const RankTrace> graphRankOf(const GraphJob& job) {
    auto [model, main, stream] = threadAndStream();
    double device_us = 0;
    double host_us = 100;
    for (int step = 0; step < job.steps; ++step) {
        const double begin_us = host_us;
        if (job.load_us > 0) {
            const auto call = model.call(main, "cudaLaunchKernel", host_us, job.load_us + 10);
            model.slice(main, Category::Driver, "cuLibraryLoadData", host_us + 2, job.load_us);
            device_us = std::max(device_us + 1, host_us + job.load_us + 15);
            model.launch(call, model.slice(stream, Category::Kernel, "new_kernel", device_us, 20));
            device_us += 20;
            host_us += job.load_us + 20;
        }
        for (int graph = 0; graph < (step >= job.second_from ? 2 : 1); ++graph) {
            const double upload_us = graph == 1 && step == job.second_from ? job.upload_us : 0;
            const auto call = model.call(main, "cudaGraphLaunch", host_us, 12 + upload_us);
            device_us = std::max(device_us + 1, host_us + upload_us + 20);
            for (int k = 0; k < 10; ++k) {
                model.launch(call,
                             model.slice(stream, Category::Kernel, "graph" + std::to_string(graph), device_us, 50));
                device_us += 51;
            }
            host_us += 20 + upload_us;
        }
        model.call(main, "cudaStreamSynchronize", host_us, std::max(1.0, device_us + 5 - host_us));
        host_us = std::max(host_us + 1, device_us + 5) + 5;
        model.step(main, step, begin_us, host_us - begin_us);
        host_us += 6;
    }
    return model.build();
}

CauseTimes idleOfGraphs(const GraphJob& job, std::size_t step) {
    const AnalysedRank rank = analyseRank(graphRankOf(job), NameRules::builtIn());
    checkFacts(rank.facts);
    return rank.facts.steps.at(step).idle_causes;
}

TEST(WarmUp, OwnsTheFirstLaunchOfAGraph) {
    const CauseTimes causes = idleOfGraphs({.upload_us = 20'000}, 3);
    EXPECT_NEAR(microseconds(causes[Cause::WarmUp]), 20'000, 600);
    EXPECT_LT(microseconds(causes[Cause::LaunchLatency] + causes[Cause::HostStall]), 100);
}

TEST(WarmUp, IsNotAFirstLaunchThatTakesItsUsualTime) {
    EXPECT_EQ(idleOfGraphs({}, 3)[Cause::WarmUp], 0);
    EXPECT_EQ(idleOfGraphs({}, 0)[Cause::WarmUp], 0);
}

TEST(WarmUp, CannotBeToldOfAGraphThatIsLaunchedOnce) {
    EXPECT_EQ(idleOfGraphs({.upload_us = 20'000, .second_from = 0, .steps = 1}, 0)[Cause::WarmUp], 0);
}

TEST(WarmUp, OfOneGraphThatIsMostOfTheTimeIsTheVerdictAndNoLaunchBound) {
    const AnalysedRun run = analyse(runOf({graphRankOf({.upload_us = 400'000})}));
    checkHeadline(run);
    ASSERT_TRUE(run.facts.verdict.shares.has_value());
    EXPECT_GT(run.facts.verdict.shares->warm_up, 0.9);
    EXPECT_LT(run.facts.verdict.shares->launch, 0.05);
    EXPECT_EQ(run.diagnosis.headline.title, "warm-up of graphs and modules");
    EXPECT_NE(findingOf(run, "warm-up"), nullptr);
    EXPECT_EQ(findingOf(run, "launch-bound"), nullptr);
}

TEST(WarmUp, IsAFindingWhereEachStepLoadsCode) {
    const AnalysedRun run = analyse(runOf({graphRankOf({.load_us = 3'000})}));
    const Finding& warm_up = findingIn(run, "warm-up");
    EXPECT_NEAR(microseconds(warm_up.saving_ns), 3'000, 200);
    EXPECT_THAT(warm_up.why, testing::HasSubstr("cuLibraryLoadData"));
    EXPECT_EQ(&warm_up, &run.diagnosis.findings.front());
    EXPECT_EQ(run.diagnosis.headline.title, "warm-up of graphs and modules");
    const Finding* const launch = findingOf(run, "launch-bound");
    EXPECT_TRUE(launch == nullptr || launch->saving_ns < warm_up.saving_ns / 4);
}

}  // namespace
}  // namespace rankscope::test
