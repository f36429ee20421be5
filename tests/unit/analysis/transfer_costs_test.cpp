// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/transfer_costs.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

constexpr std::int64_t kMega = 1'000'000;

TransferFit fitOf(CollectiveKind kind, DurationNs latency_ns, double gb_per_s) {
    TransferFit fit;
    fit.kind = kind;
    fit.latency_ns = latency_ns;
    fit.gb_per_s = gb_per_s;
    return fit;
}

TEST(TransferCosts, ARingPassesEachPartOfAnAllReduceAroundTwice) {
    const auto costs = costsOf(CollectiveKind::AllReduce, Algorithm::Ring, 8);
    ASSERT_TRUE(costs.has_value());
    EXPECT_DOUBLE_EQ(costs->hops, 14);
    EXPECT_DOUBLE_EQ(costs->traffic, 1.75);
    EXPECT_DOUBLE_EQ(costsOf(CollectiveKind::AllGather, Algorithm::Ring, 8)->hops, 7);
    EXPECT_DOUBLE_EQ(costsOf(CollectiveKind::AllGather, Algorithm::Ring, 8)->traffic, 0.875);
}

TEST(TransferCosts, ATreeTakesTwoWaysOfItsDepth) {
    EXPECT_DOUBLE_EQ(costsOf(CollectiveKind::AllReduce, Algorithm::Tree, 8)->hops, 6);
    EXPECT_DOUBLE_EQ(costsOf(CollectiveKind::AllReduce, Algorithm::Tree, 9)->hops, 8) << "9 ranks need a level more";
    EXPECT_DOUBLE_EQ(costsOf(CollectiveKind::AllReduce, Algorithm::Tree, 8)->traffic, 2);
    EXPECT_FALSE(costsOf(CollectiveKind::AllGather, Algorithm::Tree, 8).has_value());
}

TEST(TransferCosts, OneRankHasNobodyToSendTo) {
    EXPECT_FALSE(costsOf(CollectiveKind::AllReduce, Algorithm::Ring, 1).has_value());
    EXPECT_FALSE(LinkModel::of(fitOf(CollectiveKind::AllReduce, 10, 1), Algorithm::Ring, 0).has_value());
}

TEST(TransferCosts, AModelGivesBackTheFitThatItIsOf) {
    const TransferFit fit = fitOf(CollectiveKind::AllReduce, 28'000, 50);
    const auto model = LinkModel::of(fit, Algorithm::Ring, 8);
    ASSERT_TRUE(model.has_value());
    EXPECT_DOUBLE_EQ(model->hop_ns, 2'000);
    EXPECT_DOUBLE_EQ(model->gb_per_s, 87.5) << "nccl-tests' bus bandwidth";
    EXPECT_EQ(model->predict(fit.kind, Algorithm::Ring, 8, 10 * kMega), fit.at(10 * kMega));
}

TEST(TransferCosts, ATreeIsBetterForSmallMessagesAmongManyRanks) {
    const LinkModel model{2'000, 100};
    const auto up_to = model.treeUpTo(64);
    ASSERT_TRUE(up_to.has_value());
    EXPECT_EQ(model.better(CollectiveKind::AllReduce, 64, *up_to / 2), Algorithm::Tree);
    EXPECT_EQ(model.better(CollectiveKind::AllReduce, 64, *up_to * 2), Algorithm::Ring);
    EXPECT_NEAR(static_cast<double>(*model.predict(CollectiveKind::AllReduce, Algorithm::Ring, 64, *up_to)),
                static_cast<double>(*model.predict(CollectiveKind::AllReduce, Algorithm::Tree, 64, *up_to)), 2);
    EXPECT_FALSE(model.treeUpTo(2).has_value()) << "between two there is one way";
    EXPECT_EQ(model.better(CollectiveKind::AllToAll, 64, 1), Algorithm::Direct);
}

TEST(TransferCosts, TheKernelsNameMayTellTheAlgorithm) {
    EXPECT_EQ(algorithmOfKernel("ncclKernel_AllReduce_RING_LL_Sum_half(ncclWorkElem)"), Algorithm::Ring);
    EXPECT_EQ(algorithmOfKernel("ncclDevKernel_AllReduce_Sum_bf16_TREE_LL(ncclDevKernelArgs)"), Algorithm::Tree);
    EXPECT_EQ(algorithmOfKernel("ncclAllReduceTreeLLKernel_sum_f32"), Algorithm::Tree);
    EXPECT_FALSE(algorithmOfKernel("ncclDevKernel_Generic(ncclDevKernelArgs)").has_value());
}

}  // namespace
}  // namespace rankscope::test
