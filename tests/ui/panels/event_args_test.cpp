// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/selection/event_args.h"

#include <gtest/gtest.h>

namespace rankscope::ui {
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

TEST(EventArgs, ThatAreElsewhereNameWhatFindsThemInTheWindowToo) {
    const QString elsewhere = whyUnread({"/scratch/r0.json", {}, "is not here: --map FROM=TO"});
    EXPECT_TRUE(elsewhere.contains(QStringLiteral("--map FROM=TO"))) << elsewhere.toStdString();
    EXPECT_TRUE(elsewhere.contains(QStringLiteral("Locate Folder"))) << elsewhere.toStdString();
    EXPECT_FALSE(whyUnread({"/r0.json", {}, "has changed since it was loaded"}).contains(QStringLiteral("Locate")));
}

}  // namespace
}  // namespace rankscope::ui
