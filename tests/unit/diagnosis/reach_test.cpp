// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/prices/pricing.h"
#include "tests/accuracy/simulated_run.h"
#include "tests/support/analysed.h"
#include "tests/support/testing.h"
#include "tests/tracegen/config_of.h"
#include "tests/tracegen/truth.h"

namespace rankscope::test {
namespace {

tracegen::RunResult simulatedWith(const char* fault, double kernel_scale = 1) {
    tracegen::Config config = tracegen::configOf(2, 8, {fault});
    config.kernel_scale = kernel_scale;
    config.warmup_steps = 3;
    return tracegen::simulate(config);
}

/// Design 8: a planted saving within max(5 %, 0.5 % of the step).
void expectPriced(const Finding& finding, const tracegen::FaultTruth& truth) {
    const auto saving = static_cast<double>(truth.savingNs());
    const double tolerance = std::max(0.05 * saving, 0.005 * static_cast<double>(truth.step_ns));
    EXPECT_NEAR(static_cast<double>(finding.saving_ns), saving, tolerance);
}

TEST(HostSync, SavesTheLaunchesTooThatAHostWhichRunsAheadHides) {
    const tracegen::RunResult simulated = simulatedWith("host-sync");
    const AnalysedRun run = analyse(accuracy::loadSimulated(simulated));
    const Finding& found = findingIn(run, "host-sync");
    EXPECT_GT(found.saving_ns, found.blocked_ns);
    expectPriced(found, tracegen::priceFault(simulated, 0));
}

TEST(Confidence, IsNotHighWhereASavingReachesBeyondTheCausesOwnTime) {
    Price price;
    price.steady_steps = 5;
    price.steady_seen = 5;
    price.coupled = true;
    EXPECT_EQ(confidenceOf(price, 4), Confidence::High);
    price.beyond_ns = 1;
    EXPECT_EQ(confidenceOf(price, 4), Confidence::Medium);
}

/// On a device that the host is only a little ahead of.
constexpr double kFastDevice = 0.4;

void expectFoundAndPriced(const char* fault, const std::string& id) {
    const tracegen::RunResult simulated = simulatedWith(fault, kFastDevice);
    const AnalysedRun run = analyse(accuracy::loadSimulated(simulated));
    const Finding& found = findingIn(run, id);
    expectPriced(found, tracegen::priceFault(simulated, 0));
}

TEST(UnpinnedCopies, SaveWhatTheRunWithoutThemSaves) {
    expectFoundAndPriced("unpinned-memcpy:amount=2", "unpinned-memcpy");
}

TEST(UnusedParameters, TakeTheirMapAndItsAllReduceAndTheWaitForItWithThem) {
    expectFoundAndPriced("find-unused-parameters", "find-unused-parameters");
}

TEST(UnusedParameters, LeaveNoFindingOnTheWaitForTheirMap) {
    const AnalysedRun run = analyse(accuracy::loadSimulated(simulatedWith("find-unused-parameters", kFastDevice)));
    EXPECT_EQ(findingOf(run, "host-sync"), nullptr);
}

TEST(BucketSize, PricesBucketsThatAreTooSmall) {
    expectFoundAndPriced("bucket-size:amount=0.5", "bucket-size");
}

TEST(BucketSize, SaysNothingOfUsualBuckets) {
    const AnalysedRun run = analyse(accuracy::loadSimulated(simulatedWith("host-sync")));
    EXPECT_EQ(findingOf(run, "bucket-size"), nullptr);
}

TEST(LaunchBound, LeavesTheTimeOfSmallBucketsToTheirFinding) {
    const AnalysedRun run = analyse(accuracy::loadSimulated(simulatedWith("bucket-size:amount=0.25", kFastDevice)));
    const Finding* const launches = findingOf(run, "launch-bound");
    EXPECT_TRUE(launches == nullptr || launches->severity == Severity::Low);
}

}  // namespace
}  // namespace rankscope::test
