// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/stages.h"
#include "tests/support/analysed.h"
#include "tests/support/fact_checks.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

using Ranks = std::vector<RankPosition>;

constexpr int kSteps = 6;
constexpr int kKernels = 60;

/// A device that runs kernels of four names in turn, launched ahead of it, and pauses before some of them.
struct Job {
    std::function<double(int step, int kernel)> pause_us = [](int, int) { return 0.0; };
    std::string launch = "cudaLaunchKernel";
    double host_us = 20;  ///< from launch to launch; kernels last 50
    bool second_device = false;
    bool loses_records = false;
};

std::shared_ptr<const RankTrace> rankOf(const Job& job) {
    auto [model, main, stream] = threadAndStream();
    double host_us = 100;
    double device_us = 0;
    for (int step = 0; step < kSteps; ++step) {
        const double start_us = host_us;
        for (int kernel = 0; kernel < kKernels; ++kernel) {
            const auto call = model.call(main, job.launch, host_us, 6);
            if (job.loses_records && kernel % 20 == 0) {
                model.call(main, job.launch, host_us + 7, 6);
            }
            device_us = std::max(device_us + 1, host_us + 9) + job.pause_us(step, kernel);
            const std::string name = "kernel" + std::to_string(kernel % 4);
            model.launch(call, model.slice(stream, Category::Kernel, name, device_us, 50));
            device_us += 50;
            host_us += job.host_us;
        }
        // The host reads a value back: the device has nothing left when the next step begins.
        model.call(main, "cudaStreamSynchronize", host_us, std::max(1.0, device_us + 5 - host_us));
        host_us = std::max(host_us + 1, device_us + 5) + 10;
        model.step(main, step, start_us, host_us - start_us);
        host_us += 5;
    }
    if (job.second_device) {
        model.kernel(main, 50, 5, model.stream("7", 1), "other", 60, 20);
    }
    return model.build();
}

/// The rest of somebody's time slice, three times a step, now before one kernel and now before another.
double sliceBefore(int step, int kernel) {
    return (kernel + 7 * step) % 20 == 3 ? 300.0 + 100 * ((kernel + step) % 9) : 0.0;
}

DurationNs heldIn(const Job& job) {
    const AnalysedRank rank = analyseRank(rankOf(job), NameRules::builtIn());
    checkFacts(rank.facts);
    DurationNs ns = 0;
    for (const MeasuredStep& step : rank.facts.steps) {
        ns += step.idle_causes[Cause::DeviceShared];
    }
    return ns;
}

TEST(SharedDevice, OwnsTheTimeInWhichReadyWorkDidNotStart) {
    DurationNs planted_ns = 0;
    for (int step = 0; step < kSteps; ++step) {
        for (int kernel = 0; kernel < kKernels; ++kernel) {
            planted_ns += static_cast<DurationNs>(1000 * sliceBefore(step, kernel));
        }
    }
    EXPECT_NEAR(static_cast<double>(heldIn({.pause_us = sliceBefore})), static_cast<double>(planted_ns),
                0.02 * static_cast<double>(planted_ns));
}

TEST(SharedDevice, HoldsAlsoWhatIsLaunchedToAnIdleDevice) {
    const Job slow_host{.pause_us = sliceBefore, .host_us = 70};
    const AnalysedRank rank = analyseRank(rankOf(slow_host), NameRules::builtIn());
    CauseTimes causes;
    for (const MeasuredStep& step : rank.facts.steps) {
        for (const Cause cause : {Cause::DeviceShared, Cause::LaunchLatency, Cause::Queued}) {
            causes[cause] += step.idle_causes[cause];
        }
    }
    EXPECT_GT(causes[Cause::DeviceShared], 10'000'000);
    EXPECT_LT(causes[Cause::LaunchLatency], 5'000'000) << "a slice is no slow launch";
    EXPECT_EQ(causes[Cause::Queued], 0);
}

TEST(SharedDevice, IsNoneWhereLaunchesAreInTimeOrMerelySlow) {
    EXPECT_EQ(heldIn({}), 0);
    EXPECT_EQ(heldIn({.host_us = 400}), 0);
    EXPECT_EQ(heldIn({.pause_us = [](int, int) { return 30.0; }, .host_us = 120}), 0) << "30 us to start, each time";
}

TEST(SharedDevice, IsNoneWhereTheSamePlaceAlwaysWaits) {
    const auto at_one_place = [](int, int kernel) { return kernel % 4 == 2 ? 700.0 : 0.0; };
    EXPECT_EQ(heldIn({.pause_us = at_one_place}), 0) << "a host function on the stream, or an event of somebody else";
}

TEST(SharedDevice, IsNoneWhereItHappensNowAndThen) {
    const auto few = [](int step, int kernel) { return step < 4 && kernel == 7 * step + 3 ? 900.0 : 0.0; };
    EXPECT_EQ(heldIn({.pause_us = few}), 0);
    const auto at_once = [](int step, int kernel) { return step == 2 && kernel % 9 == 4 ? 900.0 : 0.0; };
    EXPECT_EQ(heldIn({.pause_us = at_once}), 0) << "all in one part of the window";
}

TEST(SharedDevice, IsNotSaidOfGraphsLostRecordsAndSeveralDevices) {
    EXPECT_EQ(heldIn({.pause_us = sliceBefore, .launch = "cudaGraphLaunch"}), 0);
    EXPECT_EQ(heldIn({.pause_us = sliceBefore, .second_device = true}), 0);
    EXPECT_EQ(heldIn({.pause_us = sliceBefore, .loses_records = true}), 0);
}

TEST(SharedDevice, IsAFindingWithAReplayWithoutTheOthers) {
    const AnalysedRun shared = analyse(runOf({rankOf({.pause_us = sliceBefore})}));
    const AnalysedRun alone = analyse(runOf({rankOf({})}));
    const Finding& finding = findingIn(shared, "device-shared");
    EXPECT_EQ(&finding, &shared.diagnosis.findings.front());
    EXPECT_EQ(finding.ranks, (Ranks{RankPosition(0)}));
    EXPECT_EQ(finding.confidence, Confidence::Medium) << "the trace does not show who had the device";
    const auto saved = static_cast<double>(shared.facts.median_step_ns - alone.facts.median_step_ns);
    EXPECT_NEAR(static_cast<double>(finding.saving_ns), saved, 0.05 * saved);
    EXPECT_NE(finding.remedies.front().action.find("nvidia-smi"), std::string::npos);
    EXPECT_EQ(findingOf(shared, "launch-bound"), nullptr);
    EXPECT_EQ(findingOf(shared, "unexplained-idle"), nullptr);
    EXPECT_EQ(findingOf(alone, "device-shared"), nullptr);
}

}  // namespace
}  // namespace rankscope::test
