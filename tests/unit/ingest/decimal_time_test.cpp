// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/kineto/decimal_time.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

TimeNs ns(std::string_view text) {
    return parseMicroseconds(text).value_or(DecimalTime{-999, 0}).ns;
}

TEST(DecimalTime, WholeMicrosecondsOfAnEpochAreExact) {
    EXPECT_EQ(ns("1623142623460111"), 1623142623460111000);
}

TEST(DecimalTime, ThreeDecimalsOfAnEpochAreExactWhereADoubleIsNot) {
    EXPECT_EQ(ns("1712169096123456.789"), 1712169096123456789);
    EXPECT_EQ(ns("1712169096123456.001"), 1712169096123456001);
}

TEST(DecimalTime, MissingPaddingIsReadAsTheDecimalItIs) {
    EXPECT_EQ(ns("7.5"), 7500);
}

TEST(DecimalTime, FinerDecimalsAreRoundedDownAndKeptForTheSum) {
    const auto start = parseMicroseconds("1.0006");
    const auto length = parseMicroseconds("0.0005");
    EXPECT_EQ(start->ns, 1000);
    EXPECT_EQ(DecimalTime::floorOfSum(*start, *length), 1001);  // 1.0011 us, though both parts round down to 1000 ns
}

TEST(DecimalTime, NegativeTimesRoundDownToo) {
    EXPECT_EQ(ns("-2"), -2000);
    EXPECT_EQ(ns("-0.0005"), -1);
}

TEST(DecimalTime, ScientificNotationIsReadByItsDigits) {
    EXPECT_EQ(ns("1.5e3"), 1500000);
    EXPECT_EQ(ns("1.6231426234601115e+15"), 1623142623460111500);
    EXPECT_EQ(ns("25E-1"), 2500);
}

TEST(DecimalTime, TimesInQuotesAreRead) {
    EXPECT_EQ(ns("\"1623142623460111\""), 1623142623460111000);
}

TEST(DecimalTime, WhatDoesNotFitOrIsNoNumberIsNothing) {
    for (const char* text : {"", "-", "abc", "1x", "\"1234567890123456789\"", "99999999999999999999999", "1e30", "NaN",
                             "inf", "1e", "9300000000000000"}) {
        EXPECT_FALSE(parseMicroseconds(text)) << text;
    }
}

TEST(DecimalTime, ASumThatOverflowsIsNothing) {
    const auto start = parseMicroseconds("9223372036854774");
    EXPECT_FALSE(DecimalTime::floorOfSum(*start, *start));
}

TEST(ParseInteger, ReadsSixtyFourBitsWithOrWithoutQuotes) {
    EXPECT_EQ(parseInteger("9223372036854775807"), INT64_MAX);
    EXPECT_EQ(parseInteger("\"-5\""), -5);
    EXPECT_FALSE(parseInteger("9223372036854775808"));
    EXPECT_FALSE(parseInteger("0x10"));
}

}  // namespace
}  // namespace rankscope
