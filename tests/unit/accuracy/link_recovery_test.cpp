// SPDX-License-Identifier: GPL-3.0-or-later
// Latency and bandwidth as they are read off a run, against those of the machine's network.

#include "core/diagnosis/prices/fitted_links.h"
#include "tests/accuracy/simulated_run.h"
#include "tests/support/testing.h"
#include "tests/tracegen/machine/faults.h"
#include "tests/tracegen/machine/simulate.h"

namespace rankscope::accuracy {
namespace {

namespace machine = tracegen::machine;

/// Many short steps with buckets of several sizes, nothing else on the network.
machine::Config configOf(std::uint64_t seed, int ranks, double gb_per_s, DurationNs latency_ns) {
    machine::Config config = machine::healthyConfig(seed, ranks);
    config.steps = 120;
    config.model.step_marks = true;
    config.model.blocks = 6;
    config.model.block_parameters = 1'000'000;
    config.model.device_scale = 0.6;
    config.model.bucket_mb = 6;
    config.network.bytes_per_ns = gb_per_s;
    config.network.latency_ns = latency_ns;
    config.network.wander = 0.01;
    config.network.read_share = 0;
    config.network.tail_ns = 1'000;
    config.noise.hiccups_per_mille = 0;
    return config;
}

/// What begins a collective of the machine: 0.8 to 1.3 of the network's latency, and the last rank's leaving.
double plantedLatency(const machine::Config& config) {
    return 1.05 * static_cast<double>(config.network.latency_ns) + 750;
}

class LinkRecovery : public testing::TestWithParam<std::tuple<int, double, DurationNs>> {};

TEST_P(LinkRecovery, FindsLatencyAndBandwidthWithinFivePerCent) {
    const auto [ranks, gb_per_s, latency_ns] = GetParam();
    const machine::Config config = configOf(7, ranks, gb_per_s, latency_ns);
    const AnalysedRun analysed = analyseSimulated(machine::simulate(config));
    const std::vector<FittedLink> links = fittedLinks(analysed);
    ASSERT_EQ(links.size(), 1U);
    const TransferFit& fit = analysed.facts.collectives.fits[0];
    EXPECT_NEAR(static_cast<double>(fit.latency_ns) / plantedLatency(config), 1, 0.05);
    ASSERT_TRUE(links[0].bus_gb_per_s.has_value());
    EXPECT_NEAR(*links[0].bus_gb_per_s / gb_per_s, 1, 0.05);
    EXPECT_GT(fit.r2.value_or(1), 0.98);
}

INSTANTIATE_TEST_SUITE_P(Networks, LinkRecovery,
                         testing::Values(std::tuple(2, 20.0, 40'000), std::tuple(4, 60.0, 25'000),
                                         std::tuple(4, 10.0, 200'000), std::tuple(8, 100.0, 60'000)));

}  // namespace
}  // namespace rankscope::accuracy
