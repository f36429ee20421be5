// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/diagnosis/pricing.h"
#include "tests/accuracy/simulated_run.h"
#include "tests/support/analysed.h"
#include "tests/tracegen/truth.h"

namespace rankscope::test {
namespace {

tracegen::RunResult simulatedWith(const char* fault) {
    tracegen::Config config;
    config.ranks = 2;
    config.steps = 8;
    config.faults.push_back(tracegen::parseFault(fault));
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
    const Finding* const found = findingOf(run, "host-sync");
    ASSERT_NE(found, nullptr);
    EXPECT_GT(found->saving_ns, found->blocked_ns);
    expectPriced(*found, tracegen::priceFault(simulated, 0));
}

TEST(Confidence, IsNotHighWhereASavingReachesBeyondTheCausesOwnTime) {
    Price price;
    price.ordinary_steps = 5;
    price.ordinary_seen = 5;
    price.coupled = true;
    EXPECT_EQ(confidenceOf(price, 4), Confidence::High);
    price.beyond_ns = 1;
    EXPECT_EQ(confidenceOf(price, 4), Confidence::Medium);
}

TEST(UnpinnedCopies, ClaimNoMoreThanTheirOwnTime) {
    const AnalysedRun run = analyse(accuracy::loadSimulated(simulatedWith("unpinned-memcpy")));
    const Finding* const found = findingOf(run, "unpinned-memcpy");
    ASSERT_NE(found, nullptr);
    EXPECT_LE(found->saving_ns, found->blocked_ns + run.facts.median_step_ns / 200 + 1);
}

}  // namespace
}  // namespace rankscope::test
