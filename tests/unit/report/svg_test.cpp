// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/svg.h"
#include "tests/support/testing.h"

namespace rankscope::report {
namespace {

using testing::ElementsAre;

TEST(Ticks, AreAtRoundTimesUpToTheLongest) {
    EXPECT_THAT(ticksOf(47'200'000, 5), ElementsAre(0, 10'000'000, 20'000'000, 30'000'000, 40'000'000));
    EXPECT_THAT(ticksOf(1'500, 4), ElementsAre(0, 500, 1'000, 1'500));
    EXPECT_THAT(ticksOf(3, 5), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(ticksOf(0, 5), ElementsAre(0));
}

TEST(Ticks, AreWrittenWithoutNeedlessZeros) {
    EXPECT_EQ(tickText(0), "0");
    EXPECT_EQ(tickText(20'000'000), "20 ms");
    EXPECT_EQ(tickText(1'500'000'000), "1.5 s");
    EXPECT_EQ(tickText(500'000), "500 µs");
}

TEST(Coordinates, HaveTwoDecimalsAtMost) {
    EXPECT_EQ(coordinate(1.0 / 3.0), "0.33");
    EXPECT_EQ(coordinate(100.0), "100");
    EXPECT_EQ(coordinate(-0.001), "0");
}

TEST(Columns, ShareTheWidthAndFewDoNotFillIt) {
    const ColumnLayout few(100, 2, 10);
    EXPECT_EQ(few.width, 10);
    EXPECT_EQ(few.middle(1), 75);
    EXPECT_EQ(ColumnLayout(100, 100, 10).width, 0.8);
}

}  // namespace
}  // namespace rankscope::report
