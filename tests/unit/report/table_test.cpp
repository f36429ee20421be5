// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/table.h"

#include <sstream>

#include "core/report/tables/cut_table.h"
#include "core/report/tables/data_table.h"
#include "tests/support/testing.h"

namespace rankscope::report {
namespace {

TEST(Table, AlignsNumbersRightWithAnyLetters) {
    const Table table{{"", "idle", "step"}, {{"rank 0", "4.1 µs", "9"}, {"rank 11", "1 s", "10 ms"}}, 1};
    EXPECT_EQ(tableText(table, 2),
              "             idle   step\n"
              "  rank 0   4.1 µs      9\n"
              "  rank 11     1 s  10 ms\n");
}

TEST(Table, WritesOperationsAndBytesInAUnitThatSuitsThem) {
    EXPECT_EQ(cellText(38'654'705'664.0, Unit::Flops), "38.7 GFLOP");
    EXPECT_EQ(cellText(3.12e15, Unit::Flops), "3.12 PFLOP");
    EXPECT_EQ(cellText(999'600.0, Unit::Flops), "1.00 MFLOP");
    EXPECT_EQ(cellText(12.0, Unit::Flops), "12 FLOP");
    EXPECT_EQ(cellText(25'600'000.0, Unit::Bytes), "25.6 MB");
    EXPECT_EQ(cellText(46'128'066.0, Unit::Duration), "46.1 ms");
    EXPECT_EQ(cellValue(38'654'705'664.0), "38654705664");
}

TEST(Table, ShowsASmallShareWithTwoDigits) {
    EXPECT_EQ(precisePercent(0.00024), "0.024 %");
    EXPECT_EQ(precisePercent(0.0000001), "< 0.001 %");
    EXPECT_EQ(precisePercent(0), "0.0 %");
    EXPECT_EQ(precisePercent(0.0014), "0.1 %");
    EXPECT_EQ(precisePercent(0.28), "28 %");
}

TEST(Table, ACountThatIsWholeHasNoDecimals) {
    EXPECT_EQ(cellText(64.0, Unit::Decimal), "64");
    EXPECT_EQ(cellText(0.25, Unit::Decimal), "0.250");
}

TEST(Table, IsNeverCutWithoutAWord) {
    const Table table{{"", "step"}, {{"rank 0", "1 s"}, {"rank 1", "2 s"}, {"rank 2", "3 s"}}, 1};
    EXPECT_EQ(cutTo(table, 3, "rank").rest, "");
    const ShownRows two = cutTo(table, 2, "rank");
    EXPECT_EQ(two.table.rows.size(), 2U);
    EXPECT_EQ(two.rest, "and 1 more rank, in --json");
    EXPECT_EQ(cutTo(table, 1, "row", "--csv").rest, "and 2 more rows, in --csv");
}

TEST(Table, ANumberMayHaveTheUnitOfItsRow) {
    DataTable table{"facts", {{"name", "name", Unit::Word}, {"mean", "mean", Unit::OfRow}}, {}};
    table.rows = {{std::string("step_ns"), 46'128'066.0}, {std::string("busy_share"), 0.28}};
    table.row_units = {Unit::Duration, Unit::Share};
    DataTable twice = table.withoutEmpty();
    twice.append(table);
    const Table texts = textsOf(twice, 4);
    EXPECT_EQ(texts.rows.at(0).at(1), "46.1 ms");
    EXPECT_EQ(texts.rows.at(1).at(1), "28 %");
    EXPECT_EQ(texts.rows.at(2).at(1), "46.1 ms");
    EXPECT_TRUE(isNumeric(Unit::OfRow));
}

TEST(Table, AColumnOfNoneIsLeftOutButNotThatOfStepOrRankZero) {
    const DataTable table{
        "facts",
        {{"step", "step", Unit::Number}, {"stalls", "stalls", Unit::Count}, {"busy_ns", "busy", Unit::Duration}},
        {{std::int64_t{0}, std::int64_t{0}, std::int64_t{7}}}};
    const DataTable shown = table.withoutEmpty();
    ASSERT_EQ(shown.columns.size(), 2U);
    EXPECT_EQ(shown.columns[0].key, "step");
    EXPECT_EQ(shown.columns[1].key, "busy_ns");
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

TEST(Wrapping, AWordThatIsTooLongHasItsOwnLine) {
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
