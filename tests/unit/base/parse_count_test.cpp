// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parse_quantity.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

TEST(ParseCount, ReadsNumbersAsPeopleWriteThem) {
    const std::array<std::pair<const char*, double>, 8> written = {{{"312", 312},
                                                                    {"312.5", 312.5},
                                                                    {"4.5e9", 4.5e9},
                                                                    {"7B", 7e9},
                                                                    {"7 B", 7e9},
                                                                    {"1.5k", 1500},
                                                                    {"2M", 2e6},
                                                                    {"0.5T", 5e11}}};
    for (const auto& [text, number] : written) {
        EXPECT_EQ(parseNumber(text), number) << text;
    }
}

TEST(ParseCount, RefusesWhatIsNoNumberAboveZero) {
    for (const char* text : {"", " ", "B", "-1", "0", "nan", "inf", "1e31", "7BB", "7 GB", "0x10", "1,000", "7B "}) {
        EXPECT_EQ(parseNumber(text), std::nullopt) << text;
        EXPECT_EQ(parseCount(text), std::nullopt) << text;
    }
}

TEST(ParseCount, CountsAreWhole) {
    EXPECT_EQ(parseCount("7B"), 7'000'000'000);
    EXPECT_EQ(parseCount("4095.6"), 4096);
    EXPECT_EQ(parseCount("0.4"), std::nullopt);
    EXPECT_EQ(parseCount("1e19"), std::nullopt) << "more than any model has";
}

}  // namespace
}  // namespace rankscope
