// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/model/table.h"

#include <gtest/gtest.h>

#include <sstream>

namespace rankscope::report {
namespace {

TEST(Table, AlignsNumbersRightWhateverTheirLetters) {
    const Table table{{"", "idle", "step"}, {{"rank 0", "4.1 µs", "9"}, {"rank 11", "1 s", "10 ms"}}, 1};
    EXPECT_EQ(tableText(table, 2),
              "             idle   step\n"
              "  rank 0   4.1 µs      9\n"
              "  rank 11     1 s  10 ms\n");
}

TEST(Table, MarkdownCellsCannotBreakOut) {
    const Table table{{"name", "ns"}, {{"a|b<c>", "1"}}, 1};
    EXPECT_EQ(tableMarkdown(table), "| name | ns |\n| --- | ---: |\n| a\\|b\\<c\\> | 1 |\n");
}

TEST(Wrapping, NoLineIsLongerThanAskedAndNoWordIsLost) {
    const std::string text = "one two three four five six seven eight nine ten";
    const std::string lines = wrapped(text, 3, 14);
    std::istringstream stream("   " + lines);
    std::string joined;
    for (std::string line; std::getline(stream, line);) {
        EXPECT_LE(displayWidth(line), 14U) << line;
        EXPECT_EQ(line.substr(0, 3), "   ");
        joined += (joined.empty() ? "" : " ") + line.substr(3);
    }
    EXPECT_EQ(joined, text);
}

TEST(Wrapping, AWordThatIsTooLongStandsAlone) {
    EXPECT_EQ(wrapped("a incomprehensibilities b", 0, 10), "a\nincomprehensibilities\nb");
}

TEST(MarkdownCode, AnyNumberOfBackticksStaysInside) {
    EXPECT_EQ(markdownCode("gemm"), "`gemm`");
    EXPECT_EQ(markdownCode("a``b"), "``` a``b ```");
}

TEST(DisplayWidth, CountsCharactersAndNotBytes) {
    EXPECT_EQ(displayWidth("4 µs"), 4U);
}

}  // namespace
}  // namespace rankscope::report
