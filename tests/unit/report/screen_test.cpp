// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/text/screen.h"

#include <sstream>

#include "core/report/tables/table.h"
#include "tests/support/testing.h"
#include "tests/unit/report/sample_run.h"

namespace rankscope::test {
namespace {

using report::displayWidth;
using report::Ink;
using report::Screen;
using report::ScreenTable;
using report::shortenedInTheMiddle;

std::vector<std::string> linesOf(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

void expectOneScreen(const std::string& text, std::size_t width) {
    const std::vector<std::string> lines = linesOf(text);
    EXPECT_LE(lines.size(), 24U) << text;
    for (const std::string& line : lines) {
        EXPECT_LE(displayWidth(line), width) << line;
    }
}

/// The sample run with so many findings, each with long names.
AnalysedRun runWithFindings(std::size_t count) {
    AnalysedRun run = sampleRun();
    run.diagnosis.headline = {"launch-bound",
                              "The GPU waits 60 % of the step because the CPU launches its work too late."};
    const Finding one = run.diagnosis.findings.front();
    run.diagnosis.findings.assign(count, one);
    for (Finding& finding : run.diagnosis.findings) {
        finding.title = "One function keeps the GPU idle: train.py(812): a_function_with_a_name_that_goes_on_and_on";
    }
    return run;
}

TEST(Shortened, NamesLoseTheirMiddle) {
    EXPECT_EQ(shortenedInTheMiddle("short", 5), "short");
    EXPECT_EQ(shortenedInTheMiddle("torch.nn.Linear.forward", 11), "torch…rward");
    EXPECT_EQ(displayWidth(shortenedInTheMiddle("äöüäöüäöü", 5)), 5U);
    EXPECT_EQ(shortenedInTheMiddle("long", 1), "…");
    EXPECT_EQ(shortenedInTheMiddle("long", 0), "");
}

TEST(Screen, AParagraphThatIsTooLongSaysSo) {
    Screen screen({.width = 20});
    screen.paragraph({"Check  "}, "one two three four five six seven eight nine", 2);
    EXPECT_EQ(screen.text(), "Check  one two three\n       four five si…\n");
}

TEST(Screen, ATableThatIsTooWideShrinksItsWidestColumn) {
    Screen screen({.width = 24});
    ScreenTable table;
    table.columns = {{"#", true}, {"what", false, 4}, {"where", false, 4}};
    table.rows = {{{"1"}, {"a_very_long_name_indeed"}, {"rank 3"}}};
    screen.table(table);
    EXPECT_EQ(screen.text(), " #  what          where\n 1  a_very…ndeed  rank 3\n");
}

TEST(Screen, ATableThatIsStillTooWideLosesItsLastColumns) {
    Screen screen({.width = 20});
    ScreenTable table;
    table.columns = {{"#", true}, {"saves per step"}, {"what", false, 8}};
    table.rows = {{{"1"}, {"28.1 ms (59 %)"}, {"CPU launches kernels too slowly"}}};
    screen.table(table);
    EXPECT_EQ(screen.text(), " #  saves per step\n 1  28.1 ms (59 %)\n");
}

TEST(Screen, HasColoursOnlyWhereTheyAreWanted) {
    Screen plain({.width = 40});
    plain.line({{"red", Ink::High}});
    EXPECT_EQ(plain.text(), "red\n");
    Screen coloured({.width = 40, .colour = true});
    coloured.line({{"red", Ink::High}});
    EXPECT_EQ(coloured.text(), "\x1b[31mred\x1b[0m\n");
}

TEST(AnalysisScreen, FitsForAnyContent) {
    const AnalysedRun run = runWithFindings(40);
    for (const std::size_t width : {40U, 80U, 100U}) {
        for (const std::size_t runs : {1U, 2U, 3U, 60U}) {
            const ReportInput input{std::vector<const AnalysedRun*>(runs, &run), {}};
            expectOneScreen(analysisScreen(input, {.width = width}), width);
            expectOneScreen(checkScreen(input, {.width = width}), width);
        }
    }
}

TEST(AnalysisScreen, ShowsTheVerdictAndAFindingARow) {
    const AnalysedRun run = runWithFindings(7);
    const std::string text = analysisScreen({{&run}, {}}, {});
    EXPECT_THAT(text,
                AllOf(HasSubstr("2 of 4 ranks"), HasSubstr("LAUNCH-BOUND  The GPU waits 60 % of the step"),
                      HasSubstr("450 ns (30 %)"), HasSubstr("and 2 more findings (--full)"), HasSubstr("--finding 1")));
}

TEST(AnalysisScreen, SaysUpToOfAnUpperBoundAndTheRangeOfAForecast) {
    AnalysedRun run = runWithFindings(2);
    run.diagnosis.findings[0].at_most = true;
    run.diagnosis.findings[1].range = SavingRange{0, 710};
    const std::string text = analysisScreen({{&run}, {}}, {});
    EXPECT_THAT(text, AllOf(HasSubstr("up to 450 ns (30 %)"), HasSubstr("95 %"), HasSubstr("0 to 710 ns")));
}

TEST(AnalysisScreen, MarksQuickWins) {
    AnalysedRun run = runWithFindings(1);
    run.diagnosis.findings[0].confidence = Confidence::High;
    run.diagnosis.findings[0].remedies.front().is_quick = false;
    EXPECT_THAT(analysisScreen({{&run}, {}}, {}), Not(HasSubstr("quick")));
    run.diagnosis.findings[0].remedies.front().is_quick = true;
    EXPECT_THAT(analysisScreen({{&run}, {}}, {}), AllOf(HasSubstr("quick"), HasSubstr("num_workers=4")));
}

TEST(TextSection, IsThereForEachName) {
    const AnalysedRun run = sampleRun();
    for (const std::string& name : sectionNames()) {
        EXPECT_THAT(textSection(run, name), Optional(Not(IsEmpty()))) << name;
    }
    EXPECT_EQ(textSection(run, "none"), std::nullopt);
}

}  // namespace
}  // namespace rankscope::test
