// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/faults.h"

#include <ostream>

#include "tests/support/testing.h"
#include "tests/tracegen/config_of.h"
#include "tests/tracegen/truth.h"
#include "tests/tracegen/write_run.h"

namespace rankscope::tracegen {
namespace {

Config planted(std::string_view fault, Vendor vendor = Vendor::Cuda) {
    Config config = configOf(4, 8, {std::string(fault)});
    config.vendor = vendor;
    return config;
}

std::size_t countNamed(const RunResult& run, std::size_t rank, std::string_view part) {
    const auto& events = run.events[rank];
    return static_cast<std::size_t>(std::count_if(events.begin(), events.end(), [&](const Event& event) {
        return run.names->view(event.name).find(part) != std::string_view::npos;
    }));
}

struct Planted {
    const char* fault;
    double least_share;  ///< of the step that it costs at least
};
void PrintTo(const Planted& planted, std::ostream* out) {
    *out << planted.fault;
}

class EveryFault : public testing::TestWithParam<std::tuple<Vendor, Planted>> {};

TEST_P(EveryFault, CostsStepTimeThatIsWonBackWithoutIt) {
    const auto& [vendor, planted_fault] = GetParam();
    const RunResult run = simulate(planted(planted_fault.fault, vendor));
    const FaultTruth truth = priceFault(run, 0);
    EXPECT_GT(static_cast<double>(truth.savingNs()), planted_fault.least_share * static_cast<double>(truth.step_ns));
}

INSTANTIATE_TEST_SUITE_P(
    OnBothVendors, EveryFault,
    testing::Combine(testing::Values(Vendor::Cuda, Vendor::Rocm),
                     testing::Values(Planted{"dataloader", 0.4}, Planted{"slow-loader:ranks=1", 0.2},
                                     Planted{"host-sync", 0.05}, Planted{"unpinned-memcpy", 0.02},
                                     Planted{"slow-kernels:ranks=2", 0.08}, Planted{"uneven-work", 0.08},
                                     Planted{"tiny-kernels", 0.1}, Planted{"allocator", 0.05},
                                     Planted{"gradient-copies", 0.01}, Planted{"bucket-size:amount=1000", 0.03},
                                     Planted{"slow-network", 0.1}, Planted{"late-all-reduce", 0.03},
                                     Planted{"slow-collective:amount=60", 0.05},
                                     Planted{"find-unused-parameters:amount=40", 0.1},
                                     Planted{"host-code:amount=60", 0.3}, Planted{"bucket-size:amount=0.2", 0.1})));

TEST(Faults, ARunWithoutItsFaultIsTheHealthyRun) {
    Config healthy = planted("host-sync");
    healthy.faults.clear();
    for (const FaultTraits& traits : allFaultTraits()) {
        const Config healed = without(planted(traits.name), 0);
        EXPECT_EQ(kinetoText(simulate(healed), 0), kinetoText(simulate(healthy), 0)) << traits.name;
    }
}

TEST(Faults, OnlyTheDataloaderFaultMakesBatchesInTheMainThread) {
    const RunResult run = simulate(planted("dataloader:amount=70"));
    EXPECT_EQ(countNamed(run, 0, "_SingleProcessDataLoaderIter"), 8U);
    EXPECT_EQ(countNamed(run, 0, "_MultiProcessingDataLoaderIter"), 0U);
    const RunResult healthy = simulate(without(run.config, 0));
    EXPECT_EQ(countNamed(healthy, 0, "_SingleProcessDataLoaderIter"), 0U);
    EXPECT_EQ(countNamed(healthy, 0, "_MultiProcessingDataLoaderIter"), 8U);
    EXPECT_GT(median(run.stepTimes()), 70'000'000);
}

TEST(Faults, WorkersHideColdBatchesAndTheMainThreadDoesNot) {
    const RunResult hidden = simulate(planted("cold-batches"));
    EXPECT_EQ(priceFault(hidden, 0).mean_saving_ns, 0);
    Config open = planted("cold-batches");
    open.loader.workers = 0;
    EXPECT_GT(priceFault(simulate(open), 0).mean_saving_ns, 5'000'000);
}

TEST(Faults, AFaultActsOnItsRanksAndStepsOnly) {
    const RunResult run = simulate(planted("host-sync:ranks=1+3,first=2,last=4,count=5"));
    EXPECT_EQ(countNamed(run, 0, "aten::item"), 0U);
    EXPECT_EQ(countNamed(run, 1, "aten::item"), 15U);
    EXPECT_EQ(countNamed(run, 3, "aten::item"), 15U);
}

TEST(Faults, OnRocmABlockingCopyIsOneCallAndOnCudaASyncFollows) {
    const RunResult rocm = simulate(planted("unpinned-memcpy", Vendor::Rocm));
    EXPECT_EQ(countNamed(rocm, 0, "hipMemcpyWithStream"), 16U);
    EXPECT_EQ(countNamed(rocm, 0, "StreamSynchronize"), 0U);
    const RunResult cuda = simulate(planted("unpinned-memcpy"));
    EXPECT_EQ(countNamed(cuda, 0, "cudaStreamSynchronize"), 16U);
    EXPECT_EQ(countNamed(cuda, 0, "Memcpy HtoD (Pageable -> Device)"), 16U);
}

TEST(Faults, OneSlowRankMakesTheOthersWaitInTheAllReduce) {
    const auto communication = [](const RunResult& run, std::size_t rank) {
        DurationNs sum = 0;
        for (const Event& event : run.events[rank]) {
            sum += event.kind == EventKind::Kernel && event.collective.valid() ? event.end_ns - event.start_ns : 0;
        }
        return sum;
    };
    const RunResult run = simulate(planted("slow-kernels:ranks=2,amount=1.3"));
    EXPECT_GT(communication(run, 0), 3 * communication(run, 2));
    EXPECT_GT(communication(run, 1), 3 * communication(run, 2));
}

TEST(Faults, ATextThatNamesNoFaultIsRefused) {
    EXPECT_THROW((void)parseFault("gremlins"), std::invalid_argument);
    EXPECT_THROW((void)parseFault("host-sync:colour=red"), std::invalid_argument);
    EXPECT_THROW((void)parseFault("host-sync:count=many"), std::invalid_argument);
}

}  // namespace
}  // namespace rankscope::tracegen
