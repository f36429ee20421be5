// SPDX-License-Identifier: GPL-3.0-or-later
// What remedies cost, and what that does to the saving and the range of a finding.
#include "core/diagnosis/prices/price_remedy.h"
#include "tests/support/analysed.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

constexpr const char* kAlone = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";
constexpr const char* kWithWorkers = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";

/// Five steps that load for 5 ms, copy so many bytes from pageable memory (if any), and then launch 20 kernels, 100 us
/// apart. `kernel_us` decides whether the host or the device is what takes long.
AnalysedRun analyseLoading(const char* loader, double kernel_us, std::int64_t bytes = 0) {
    auto [model, main, stream] = threadAndStream();
    double host_us = 0;
    double device_us = 0;
    for (int step = 0; step < 5; ++step) {
        const double begin_us = host_us;
        model.slice(main, Category::UserAnnotation, loader, host_us + 10, 5'000);
        host_us += 5'020;
        if (bytes > 0) {
            const double start_us = std::max(host_us + 10, device_us + 1);
            const auto call = model.call(main, "cudaMemcpyAsync", host_us, start_us + 400 - host_us + 5);
            const auto copied =
                model.slice(stream, Category::Memcpy, "Memcpy HtoD (Pageable -> Device)", start_us, 400);
            model.launch(call, copied);
            model.bytes(copied, bytes);
            device_us = start_us + 400;
            host_us = device_us + 10;
        }
        for (int k = 0; k < 20; ++k) {
            model.op(main, "aten::mm", host_us, 95);
            const double start_us = std::max(host_us + 15, device_us + 1);
            model.kernel(main, host_us + 5, 5, stream, "gemm", start_us, kernel_us);
            device_us = start_us + kernel_us;
            host_us += 100;
        }
        model.step(main, step, begin_us, host_us - begin_us);
    }
    return analyse(runOf({model.build()}));
}

TEST(RemedyCost, OfWorkersIsATrainingProcessThatTakesLongerToLaunch) {
    const AnalysedRun run = analyseLoading(kAlone, 20);
    const Finding& stall = findingIn(run, "dataloader-stall");
    ASSERT_TRUE(stall.cost.has_value());
    EXPECT_EQ(stall.cost->kind, RemedyKind::FirstWorkers);
    EXPECT_EQ(stall.cost->low_ns, 0);
    // A worker always runs. 2 ms of launches at 1.2 and 1.6 times, and a batch that takes 0.5 and 1.5 ms instead of
    // 0.1.
    EXPECT_NEAR(static_cast<double>(stall.cost->likely_ns), 0.2 * 2e6 + 0.4e6, 30e3);
    EXPECT_NEAR(static_cast<double>(stall.cost->high_ns), 0.6 * 2e6 + 1.4e6, 60e3);
    EXPECT_NEAR(static_cast<double>(stall.saving_ns), 4.9e6 - 0.8e6, 60e3);
    ASSERT_TRUE(stall.range.has_value());
    EXPECT_NEAR(static_cast<double>(stall.range->low_ns), 4.9e6 - 2.6e6, 0.1e6);
    EXPECT_NEAR(static_cast<double>(stall.range->high_ns), 4.9e6, 0.1e6);
    EXPECT_NE(stall.why.find("Workers cost the training process"), std::string::npos) << stall.why;
}

TEST(RemedyCost, OfWorkersIsNothingWhereTheDeviceHasWorkMeanwhile) {
    const AnalysedRun run = analyseLoading(kAlone, 300);
    const Finding& stall = findingIn(run, "dataloader-stall");
    ASSERT_TRUE(stall.cost.has_value());
    EXPECT_LT(stall.cost->likely_ns, 30'000);
    EXPECT_NE(stall.why.find("the GPU's work hides it"), std::string::npos) << stall.why;
}

TEST(RemedyCost, OfWorkersHasAPageFaultForEachPageThatIsCopied) {
    constexpr std::int64_t kPages = 4'000;
    const AnalysedRun plain = analyseLoading(kAlone, 20, 1);
    const AnalysedRun run = analyseLoading(kAlone, 20, kPages * 4'096);
    const RemedyCost& cost = *findingIn(run, "dataloader-stall").cost;
    const RemedyCost& without = *findingIn(plain, "dataloader-stall").cost;
    EXPECT_EQ(cost.parts.back().term, CostTerm::FreshPages);
    EXPECT_DOUBLE_EQ(cost.parts.back().size.likely, kPages * 250.0);
    EXPECT_NEAR(static_cast<double>(cost.likely_ns - without.likely_ns), kPages * 250.0, 20e3);
    EXPECT_NEAR(static_cast<double>(cost.high_ns - without.high_ns), kPages * 500.0, 40e3);
}

TEST(RemedyCost, OfMoreWorkersIsHalfAsMuchAndHasNoOtherTerm) {
    const AnalysedRun run = analyseLoading(kWithWorkers, 20);
    const Finding& stall = findingIn(run, "dataloader-stall");
    ASSERT_TRUE(stall.cost.has_value());
    EXPECT_EQ(stall.cost->kind, RemedyKind::MoreWorkers);
    ASSERT_EQ(stall.cost->parts.size(), 1U);
    EXPECT_EQ(stall.cost->parts.front().term, CostTerm::BusyCores);
    EXPECT_NEAR(static_cast<double>(stall.cost->likely_ns), 0.1 * 2e6, 20e3);
}

TEST(RemedyCost, OfPinningIsNoMoreThanThePageableCopiesAndNothingInAThreadOfItsOwn) {
    EXPECT_EQ(costOfPinning(400'000, false).high_ns, 400'000);
    EXPECT_EQ(costOfPinning(400'000, false).likely_ns, 0);
    EXPECT_EQ(costOfPinning(400'000, true).high_ns, 0);
}

Finding forecastWith(RemedyCost cost, bool at_most) {
    Finding finding;
    finding.saving_ns = 10'000'000;
    finding.at_most = at_most;
    if (!at_most) {
        finding.range = SavingRange{9'000'000, 11'000'000};
        finding.overlap = Overlap{FindingId::LaunchBound, 10'000'000, 1'000'000};
    }
    subtractCost(std::move(cost), 100'000'000, finding);
    return finding;
}

TEST(RemedyCost, IsTakenOffAForecastAndWidensItsRange) {
    RemedyCost cost;
    cost.low_ns = 1'000'000;
    cost.likely_ns = 2'000'000;
    cost.high_ns = 4'000'000;
    const Finding finding = forecastWith(cost, false);
    EXPECT_EQ(finding.saving_ns, 8'000'000);
    EXPECT_DOUBLE_EQ(finding.share, 0.08);
    EXPECT_EQ(finding.overlap->alone_ns, 8'000'000);
    EXPECT_EQ(finding.overlap->after_ns, 0);
    const std::optional<SavingRange> range = forecastOf(finding, 100'000'000);
    ASSERT_TRUE(range.has_value());
    EXPECT_EQ(range->low_ns, 9'000'000 - 4'000'000 - 500'000);
    EXPECT_EQ(range->high_ns, 11'000'000 - 1'000'000 + 500'000);
}

TEST(RemedyCost, LeavesAnUpperBoundAndSaysFromWhereOnItIsOne) {
    RemedyCost cost;
    cost.likely_ns = 2'000'000;
    cost.high_ns = 4'000'000;
    const Finding finding = forecastWith(cost, true);
    EXPECT_EQ(finding.saving_ns, 10'000'000);
    EXPECT_FALSE(finding.range.has_value());
    EXPECT_EQ(forecastOf(finding, 100'000'000)->low_ns, 5'500'000);
    EXPECT_EQ(forecastOf(finding, 100'000'000)->high_ns, 10'500'000);
}

TEST(RemedyCost, MayBeAllOfASaving) {
    RemedyCost cost;
    cost.likely_ns = 20'000'000;
    cost.high_ns = 30'000'000;
    const Finding finding = forecastWith(cost, false);
    EXPECT_EQ(finding.saving_ns, 0);
    EXPECT_EQ(finding.range->low_ns, 0);
}

}  // namespace
}  // namespace rankscope::test
