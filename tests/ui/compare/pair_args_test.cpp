// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/pair_args.h"

#include <gtest/gtest.h>

namespace rankscope::ui {
namespace {

TEST(PairArgs, ShowDifferencesWordForWordInTheOrderOfTheFile) {
    const auto differing = differingArgs(R"({"args": {"grid": [1, 2, 1], "block": [64, 1, 1], "shared memory": 0}})",
                                         R"({"args": {"shared memory": 16, "grid": [1, 2, 1], "block": [32, 1, 1]}})");
    EXPECT_EQ(differing,
              (std::vector<ArgDifference>{{"block", "[64, 1, 1]", "[32, 1, 1]"}, {"shared memory", "0", "16"}}));
}

TEST(PairArgs, ShowWhatOneOfThemDoesNotHave) {
    const auto differing = differingArgs(R"({"args": {"dtype": "Float"}})", R"({"args": {"graph id": 4}})");
    EXPECT_EQ(differing, (std::vector<ArgDifference>{{"dtype", "\"Float\"", ""}, {"graph id", "", "4"}}));
}

TEST(PairArgs, LeaveOutWhatOnlySaysWhichEventItIs) {
    EXPECT_TRUE(differingArgs(R"({"args": {"correlation": 7, "External id": 1, "stream": 7}})",
                              R"({"args": {"correlation": 9, "External id": 2, "stream": 20}})")
                    .empty());
}

TEST(PairArgs, SayThatTheyAgree) {
    const std::string event = R"({"args": {"grid": [1, 1, 1]}})";
    EXPECT_TRUE(pairArgsHtml({event, event}, Theme::darkTheme()).contains(QStringLiteral("Same arguments")));
}

TEST(PairArgs, ShowTextOfTheTraceAsTextAndNotAsMarkup) {
    const QString html = pairArgsHtml({std::string(R"({"args": {"<b>": "<script>"}})"), std::string(R"({"args": {}})")},
                                      Theme::darkTheme());
    EXPECT_FALSE(html.contains(QStringLiteral("<script>")));
    EXPECT_TRUE(html.contains(QStringLiteral("&lt;script&gt;")));
}

TEST(PairArgs, SayOfWhichRunAnEventCannotBeReadBack) {
    const QString html = pairArgsHtml({std::string("{}"), Error{{}, {}, "the file is gone"}}, Theme::darkTheme());
    EXPECT_TRUE(html.contains(QStringLiteral("of B")));
    EXPECT_TRUE(html.contains(QStringLiteral("the file is gone")));
}

}  // namespace
}  // namespace rankscope::ui
