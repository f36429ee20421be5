// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format_factor.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

TEST(FormatFactor, HasThreeDigitsAtMost) {
    EXPECT_EQ(formatFactor(1.1549, 2), "1.15");
    EXPECT_EQ(formatFactor(9.999, 2), "10.0");
    EXPECT_EQ(formatFactor(14.68, 2), "14.7");
    EXPECT_EQ(formatFactor(99.96, 2), "100");
    EXPECT_EQ(formatFactor(906.8, 2), "907");
    EXPECT_EQ(formatFactor(999.6, 2), "1,000");
    EXPECT_EQ(formatFactor(1234.5, 2), "1,230");
    EXPECT_EQ(formatFactor(9'999'999, 2), "10,000,000");
}

TEST(FormatFactor, HasSoManyDecimalsAtMost) {
    EXPECT_EQ(formatFactor(2, 1), "2.0");
    EXPECT_EQ(formatFactor(2.74, 1), "2.7");
    EXPECT_EQ(formatFactor(14.68, 0), "15");
    EXPECT_EQ(formatFactor(906.8, 1), "907");
}

TEST(FormatFactor, OfNoNumberIsUnknown) {
    EXPECT_EQ(formatFactor(std::numeric_limits<double>::infinity(), 2), "unknown");
}

}  // namespace
}  // namespace rankscope
