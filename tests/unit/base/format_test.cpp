// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

TEST(Format, DurationsTakeTheUnitThatSuitsThem) {
    EXPECT_EQ(formatDuration(0), "0 ns");
    EXPECT_EQ(formatDuration(850), "850 ns");
    EXPECT_EQ(formatDuration(4'120), "4.12 µs");
    EXPECT_EQ(formatDuration(41'250), "41.3 µs");
    EXPECT_EQ(formatDuration(412'000), "412 µs");
    EXPECT_EQ(formatDuration(58'900'000), "58.9 ms");
    EXPECT_EQ(formatDuration(176'300'000), "176.3 ms");
    EXPECT_EQ(formatDuration(1'240'000'000), "1.24 s");
    EXPECT_EQ(formatDuration(125'300'000'000), "125.3 s");
}

TEST(Format, RoundingUpCarriesIntoTheNextUnit) {
    EXPECT_EQ(formatDuration(999'499), "999 µs");
    EXPECT_EQ(formatDuration(999'500), "1.00 ms");
    EXPECT_EQ(formatDuration(999'949'999), "999.9 ms");
    EXPECT_EQ(formatDuration(999'950'000), "1.00 s");
    EXPECT_EQ(formatDuration(9'995), "10.0 µs");
}

TEST(Format, NegativeDurationsKeepTheirSign) {
    EXPECT_EQ(formatDuration(-58'900'000), "-58.9 ms");
    EXPECT_EQ(formatDuration(std::numeric_limits<DurationNs>::min()), "-9223372036.9 s");
}

TEST(Format, BytesAreDecimal) {
    EXPECT_EQ(formatBytes(512), "512 B");
    EXPECT_EQ(formatBytes(1'500), "1.50 kB");
    EXPECT_EQ(formatBytes(25'600'000), "25.6 MB");
    EXPECT_EQ(formatBytes(1'500'000'000), "1.50 GB");
}

TEST(Format, CountsKeepThousandsApart) {
    EXPECT_EQ(formatCount(0), "0");
    EXPECT_EQ(formatCount(999), "999");
    EXPECT_EQ(formatCount(1'000), "1,000");
    EXPECT_EQ(formatCount(1'234'567), "1,234,567");
}

TEST(Format, DecimalsHaveAPointWhateverTheirSize) {
    EXPECT_EQ(formatDecimal(1.156, 2), "1.16");
    EXPECT_EQ(formatDecimal(-0.5, 1), "-0.5");
    EXPECT_EQ(formatDecimal(24.0, 0), "24");
    EXPECT_EQ(formatDecimal(-std::numeric_limits<double>::max(), 9).size(), 320U);
}

TEST(Format, SmallSharesShowATenth) {
    EXPECT_EQ(formatPercent(0.284), "28 %");
    EXPECT_EQ(formatPercent(0.0284), "2.8 %");
    EXPECT_EQ(formatPercent(0.09996), "10 %");
    EXPECT_EQ(formatPercent(-0.034), "-3.4 %");
    EXPECT_EQ(formatPercent(1.0), "100 %");
    EXPECT_EQ(formatPercent(std::numeric_limits<double>::quiet_NaN()), "unknown");
}

TEST(NumberList, JoinsNeighboursAndForgetsRepetitions) {
    EXPECT_EQ(formatNumberList({}), "");
    EXPECT_EQ(formatNumberList({7}), "7");
    EXPECT_EQ(formatNumberList({5, 3, 4, 9, 3}), "3 to 5, 9");
    EXPECT_EQ(formatNumberList({1, 2}), "1, 2");
}

TEST(NumberList, InASentenceTheLastIsJoinedByAnd) {
    EXPECT_EQ(formatNumberList({7}, ListStyle::Sentence), "7");
    EXPECT_EQ(formatNumberList({1, 2}, ListStyle::Sentence), "1 and 2");
    EXPECT_EQ(formatNumberList({0, 4, 5, 6}, ListStyle::Sentence), "0 and 4 to 6");
    EXPECT_EQ(formatNumberList({0, 2, 5, 6, 7}, ListStyle::Sentence), "0, 2 and 5 to 7");
}

TEST(NumberList, OfMoreRangesThanOneReadsItNamesTheFirstTheLastAndHowMany) {
    std::vector<std::int64_t> ranks;
    for (std::int64_t stage = 0; stage < 320; ++stage) {
        for (std::int64_t rank = 4; rank < 8; ++rank) {
            ranks.push_back(8 * stage + rank);
        }
    }
    EXPECT_EQ(formatNumberList(ranks), "4 to 7, 12 to 15, 20 to 23 ... 2556 to 2559 (1,280 in all)");
    EXPECT_EQ(formatNumberList({1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23}),
              "1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23");
    EXPECT_EQ(formatNumberList({1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25}, ListStyle::Sentence),
              "1, 3, 5 ... 25 (13 in all)");
}

TEST(NumberList, OneNumberTakesNoS) {
    EXPECT_EQ(formatNumbered("rank", {3, 3}), "rank 3");
    EXPECT_EQ(formatNumbered("rank", {3, 4}), "ranks 3, 4");
    EXPECT_EQ(formatNumbered("rank", {3, 4}, ListStyle::Sentence), "ranks 3 and 4");
    EXPECT_EQ(formatCounted(1, "rank"), "1 rank");
    EXPECT_EQ(formatCounted(1'024, "rank"), "1,024 ranks");
}

TEST(Format, BandwidthsCountGigabytesAsTenToTheNinth) {
    EXPECT_EQ(formatBandwidth(12.4e9), "12.4 GB/s");
    EXPECT_EQ(formatBandwidth(850e6), "850 MB/s");
}

}  // namespace
}  // namespace rankscope
