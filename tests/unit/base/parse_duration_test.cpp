// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parse_quantity.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

TEST(ParseDuration, ReadsEveryUnitExactly) {
    EXPECT_EQ(parseDuration("3000 ns"), 3'000);
    EXPECT_EQ(parseDuration("-200us"), -200'000);
    EXPECT_EQ(parseDuration("12 \u00b5s"), 12'000);
    EXPECT_EQ(parseDuration("12.5 \u03bcs"), 12'500);
    EXPECT_EQ(parseDuration(" +1.000001 ms "), 1'000'001);
    EXPECT_EQ(parseDuration("0.1 s"), 100'000'000) << "not through floating point";
    EXPECT_EQ(parseDuration(".5 s"), 500'000'000);
    EXPECT_EQ(parseDuration("- 2 s"), -2'000'000'000);
    EXPECT_EQ(parseDuration("1.500 ns"), std::nullopt) << "finer than a nanosecond";
    EXPECT_EQ(parseDuration("1.000 ns"), 1);
}

TEST(ParseDuration, NothingNeedsNoUnit) {
    EXPECT_EQ(parseDuration("0"), 0);
    EXPECT_EQ(parseDuration("-0.0"), 0);
}

TEST(ParseDuration, WhatIsNoLengthOfTimeIsNothing) {
    for (const char* text : {"", " ", "-", ".", "ms", "15", "1.2.3 ms", "1,5 ms", "1e3 ns", "two ms", "3 m", "3 min",
                             "99999999999999999999 s", "4000000000 s"}) {
        EXPECT_EQ(parseDuration(text), std::nullopt) << text;
    }
}

}  // namespace
}  // namespace rankscope
