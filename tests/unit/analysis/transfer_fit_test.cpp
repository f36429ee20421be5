// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/transfer_statistics.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

Collective allReduceOf(std::int64_t bytes, DurationNs transfer_ns) {
    Collective collective;
    collective.kind = CollectiveKind::AllReduce;
    collective.bytes = bytes;
    collective.transfer_ns = transfer_ns;
    return collective;
}

TEST(TransferFit, FindsTheLatencyAndBandwidthThatTransfersWereMadeWith) {
    std::vector<Collective> collectives;
    for (const std::int64_t bytes : {10'000, 200'000, 4'000'000, 30'000'000}) {
        collectives.push_back(allReduceOf(bytes, 20'000 + bytes / 50));
    }
    const std::vector<TransferFit> fits = fitTransfers(collectives);
    ASSERT_EQ(fits.size(), 1U);
    EXPECT_NEAR(static_cast<double>(fits[0].latency_ns), 20'000, 10);
    EXPECT_NEAR(fits[0].gb_per_s, 50, 0.1);
    EXPECT_NEAR(fits[0].residual, 0, 1e-3);
    EXPECT_EQ(fits[0].sizes, 4U);
}

TEST(TransferFit, TellsHowFarMeasurementsLieFromIt) {
    const std::vector<TransferFit> fits =
        fitTransfers({allReduceOf(1'000'000, 30'000), allReduceOf(2'000'000, 90'000), allReduceOf(4'000'000, 80'000)});
    ASSERT_EQ(fits.size(), 1U);
    EXPECT_GT(fits[0].residual, 0.05);
}

TEST(TransferFit, IsNotMadeWhereSizesDoNotVary) {
    EXPECT_TRUE(fitTransfers({allReduceOf(1'000'000, 30'000), allReduceOf(1'500'000, 40'000)}).empty());
    EXPECT_TRUE(fitTransfers({allReduceOf(1'000'000, 30'000)}).empty());
}

TEST(TransferFit, IsNotMadeWhereLargerMessagesTakeNoLonger) {
    EXPECT_TRUE(fitTransfers({allReduceOf(1'000'000, 40'000), allReduceOf(4'000'000, 30'000)}).empty());
}

TEST(TransferFit, TellsWhyNoneIsMade) {
    Collective unsized = allReduceOf(0, 5'000'000);
    unsized.bytes.reset();
    EXPECT_EQ(whyNoFit({unsized}), NoFit::NothingTold);
    EXPECT_EQ(whyNoFit({unsized, allReduceOf(1'000'000, 30'000)}), NoFit::OneSize);
    EXPECT_EQ(whyNoFit({allReduceOf(1'000'000, 30'000), allReduceOf(1'500'000, 40'000)}), NoFit::TooAlike);
    EXPECT_EQ(whyNoFit({allReduceOf(1'000'000, 40'000), allReduceOf(4'000'000, 30'000)}), NoFit::NoRise);
}

TEST(TransferFit, TellsNoBandwidthWhereAllSizesAreBoundByLatency) {
    const std::vector<TransferFit> small = fitTransfers({allReduceOf(1'000, 20'020), allReduceOf(4'000, 20'080)});
    ASSERT_EQ(small.size(), 1U);
    EXPECT_FALSE(small[0].tellsBandwidth());
    const std::vector<TransferFit> large = fitTransfers({allReduceOf(1'000, 20'020), allReduceOf(4'000'000, 100'000)});
    EXPECT_TRUE(large[0].tellsBandwidth());
}

TEST(TransferFit, TellsNoErrorsOfALineThroughTwoSizesUnlessItHasNoLatency) {
    EXPECT_FALSE(fitTransfers({allReduceOf(1'000'000, 40'000), allReduceOf(4'000'000, 100'000)})[0].tellsErrors());
    const TransferFit bent = fitTransfers({allReduceOf(1'000'000, 10'000), allReduceOf(4'000'000, 100'000)})[0];
    EXPECT_EQ(bent.latency_ns, 0);
    EXPECT_TRUE(bent.tellsErrors()) << "such a line does not go through both";
    EXPECT_GT(bent.largest_error, 0.1);
}

TEST(TransferFit, LeavesSlowOnesAndThoseWithoutSizesOut) {
    Collective slow = allReduceOf(4'000'000, 900'000);
    slow.baseline_transfer_ns = 100'000;
    Collective unsized = allReduceOf(0, 5'000'000);
    unsized.bytes.reset();
    const std::vector<TransferFit> fits =
        fitTransfers({allReduceOf(1'000'000, 40'000), allReduceOf(4'000'000, 100'000), slow, unsized});
    ASSERT_EQ(fits.size(), 1U);
    EXPECT_EQ(fits[0].samples, 2U);
    EXPECT_EQ(fits[0].latency_ns, 20'000);
}

TEST(TransferFit, TellsHowMuchOfTheSizesItExplains) {
    const std::vector<TransferFit> exact =
        fitTransfers({allReduceOf(1'000'000, 30'000), allReduceOf(2'000'000, 50'000), allReduceOf(4'000'000, 90'000)});
    ASSERT_EQ(exact.size(), 1U);
    EXPECT_NEAR(exact[0].r2.value_or(0), 1, 1e-6);
    EXPECT_NEAR(exact[0].largest_error, 0, 1e-6);
    const std::vector<TransferFit> rough =
        fitTransfers({allReduceOf(1'000'000, 30'000), allReduceOf(2'000'000, 90'000), allReduceOf(4'000'000, 80'000)});
    EXPECT_LT(rough[0].r2.value_or(1), 0.9);
    EXPECT_GE(rough[0].largest_error, rough[0].mean_error);
    const std::vector<TransferFit> two = fitTransfers({allReduceOf(1'000'000, 30'000), allReduceOf(4'000'000, 90'000)});
    EXPECT_FALSE(two[0].r2.has_value()) << "a line goes through any two";
}

TEST(TransferFit, MarksSizesThatSayNothingOfBandwidthOrLieOffTheLine) {
    std::vector<Collective> collectives;
    for (const std::int64_t bytes : {10'000, 500'000, 4'000'000, 16'000'000, 64'000'000}) {
        collectives.push_back(allReduceOf(bytes, 20'000 + bytes / 50));
    }
    collectives.push_back(allReduceOf(8'000'000, 2 * (20'000 + 8'000'000 / 50)));
    const std::vector<TransferFit> fits = fitTransfers(collectives);
    ASSERT_EQ(fits.size(), 1U);
    EXPECT_EQ(fits[0].measured[0].mark, SizeMark::LatencyBound);
    EXPECT_EQ(fits[0].measured[2].mark, SizeMark::OnLine);
    EXPECT_EQ(fits[0].measured[3].bytes, 8'000'000);
    EXPECT_EQ(fits[0].measured[3].mark, SizeMark::Slower);
}

}  // namespace
}  // namespace rankscope::test
