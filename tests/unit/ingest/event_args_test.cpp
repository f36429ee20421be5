// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/kineto/event_args.h"

#include <gtest/gtest.h>

namespace rankscope {
namespace {

std::string joined(const std::vector<RawMember>& members) {
    std::string all;
    for (const RawMember& member : members) {
        all += member.key + "=" + member.value + ";";
    }
    return all;
}

TEST(EventArgs, ValuesKeepTheirTextWordForWord) {
    EXPECT_EQ(joined(rawArgs(R"({"ph": "X", "args": {"a": 1.50e+03, "b": "x\"y", "c": [1, {"d": 2}], "e": null}})")),
              R"(a=1.50e+03;b="x\"y";c=[1, {"d": 2}];e=null;)");
}

TEST(EventArgs, NumbersOfManyDigitsAreNotRounded) {
    EXPECT_EQ(joined(rawArgs(R"({"args":{"addr":18446744073709551615,"f":0.10000000000000000001}})")),
              "addr=18446744073709551615;f=0.10000000000000000001;");
}

TEST(EventArgs, ValuesThatNoJsonParserTakesAreShown) {
    EXPECT_EQ(joined(rawArgs(R"({"args": {"x": NaN, "y": N/A, "z": -inf}})")), "x=NaN;y=N/A;z=-inf;");
}

TEST(EventArgs, BracketsInsideStringsEndNothing) {
    EXPECT_EQ(joined(rawArgs(R"({"name": "a}", "args": {"dims": "]],}", "n": 1}})")), R"(dims="]],}";n=1;)");
}

TEST(EventArgs, AnEventWithoutArgsHasNone) {
    EXPECT_TRUE(rawArgs(R"({"ph": "X", "name": "args"})").empty());
    EXPECT_TRUE(rawArgs("").empty());
    EXPECT_TRUE(rawArgs("[1, 2]").empty());
}

TEST(EventArgs, ATextThatEndsEarlyGivesWhatItHas) {
    EXPECT_EQ(joined(rawArgs(R"({"args": {"a": 1, "b": "unfini)")), R"(a=1;b="unfini;)");
}

}  // namespace
}  // namespace rankscope
