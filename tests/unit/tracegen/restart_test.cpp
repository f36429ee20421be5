// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/restart.h"

#include <set>

#include "tests/support/testing.h"
#include "tests/tracegen/config_json.h"
#include "tests/tracegen/config_of.h"

namespace rankscope::tracegen {
namespace {

TEST(Restart, DrawsPlacementClockAndNeighboursOncePerRun) {
    const Config job = configOf(4, 6, {"host-code:amount=8"});
    std::set<double> links;
    std::set<double> clocks;
    std::set<double> host_code;
    std::set<double> gpus;
    for (std::uint64_t start = 1; start <= 5; ++start) {
        const Config again = startedAgain(job, start);
        EXPECT_EQ(again.seed, job.seed) << "the model is the same";
        EXPECT_EQ(again.rerun, start);
        EXPECT_LE(again.bus_gb_per_s, job.bus_gb_per_s);
        EXPECT_GE(again.bus_gb_per_s, 0.85 * job.bus_gb_per_s);
        EXPECT_NEAR(again.kernel_scale, job.kernel_scale, 0.06 * job.kernel_scale);
        links.insert(again.bus_gb_per_s);
        clocks.insert(again.kernel_scale);
        host_code.insert(again.fault(FaultKind::HostCode, 0, 0)->amount);
        for (int rank = 0; rank < job.ranks; ++rank) {
            const double slower = again.fault(FaultKind::SlowKernels, rank, 0)->amount;
            EXPECT_GE(slower, 1);
            EXPECT_LE(slower, 1.02);
            gpus.insert(slower);
        }
    }
    EXPECT_EQ(links.size(), 5U);
    EXPECT_EQ(clocks.size(), 5U);
    EXPECT_EQ(host_code.size(), 5U);
    EXPECT_GE(*host_code.begin(), 8);
    EXPECT_EQ(gpus.size(), 20U);
}

TEST(Restart, OfTheSameNumberIsTheSame) {
    const Config job = configOf(2, 6);
    EXPECT_EQ(toJson(startedAgain(job, 3)), toJson(startedAgain(job, 3)));
    EXPECT_NE(toJson(startedAgain(job, 3)), toJson(startedAgain(job, 4)));
}

TEST(Restart, KeepsAPlantedSlowRank) {
    const Config again = startedAgain(configOf(2, 6, {"slow-kernels:ranks=1,amount=1.4"}), 1);
    EXPECT_EQ(again.fault(FaultKind::SlowKernels, 1, 0)->amount, 1.4);
    EXPECT_LT(again.fault(FaultKind::SlowKernels, 0, 0)->amount, 1.021);
}

}  // namespace
}  // namespace rankscope::tracegen
