// SPDX-License-Identifier: GPL-3.0-or-later
// The same blocks in all formats.

#include "core/report/blocks/parts.h"
#include "core/report/html/printer.h"
#include "core/report/markdown/printer.h"
#include "core/report/text/printer.h"
#include "tests/support/testing.h"
#include "tests/unit/report/sample_run.h"

namespace rankscope::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Table threeRanks() {
    return {{"", "step"}, {{"rank 0", "1 s"}, {"rank 1", "2 s"}, {"rank 2", "3 s"}}, 1};
}

Marks marksOf(Marks::Kind kind) {
    return {kind,
            {{"look", "look here", "Input", "The loader is late.", {"To find out: record it."}, ""},
             {"next", "next", "Validate", "Compare.", {}, "rankscope-cli compare A B"}},
            {"marks", "What is marked"}};
}

TEST(Blocks, OfAPartHaveItsTitleInEachFormat) {
    const Part part{"Late <ranks>", {Note{"Who waits."}, Subtitle{"Why"}, Points{{"a_b", "c"}}}};
    EXPECT_EQ(textOf(part), "\nLate <ranks>\n  Who waits.\n\nWhy\n  a_b\n  c\n");
    EXPECT_EQ(
        foldedMarkdown(part),
        "<details>\n<summary>Late &lt;ranks&gt;</summary>\n\nWho waits.\n\nWhy:\n\n- a\\_b\n- c\n\n</details>\n\n");
    const Section section = sectionOf("late", part);
    EXPECT_EQ(section.title, "Late <ranks>");
    EXPECT_EQ(section.content,
              "<p class=\"note\">Who waits.</p>\n<h3>Why</h3>\n<ul>\n<li>a_b</li>\n<li>c</li>\n</ul>\n");
}

TEST(Blocks, OfAPartWithNothingToSayAreLeftOut) {
    const Part part{"Memory"};
    EXPECT_EQ(textOf(part), "");
    EXPECT_EQ(foldedMarkdown(part), "");
    EXPECT_EQ(sectionOf("memory", part).content, "");
}

TEST(Blocks, WithoutPointsLeaveALineInMarkdownOnlyWhereTheyKeepIt) {
    EXPECT_EQ(markdownOf({Points{}}), "");
    EXPECT_EQ(markdownOf({Points{{}, true}}), "\n");
    EXPECT_EQ(textOf(std::vector<Block>{Points{{}, true}}), "");
}

TEST(Blocks, ShowAsManyRowsAsAFormatHasRoomFor) {
    const std::vector<Block> blocks = {Rows{threeRanks(), {2, "rank"}, {"late", "Late ranks", 1}}};
    EXPECT_EQ(textOf(blocks), "          step\n  rank 0   1 s\n  rank 1   2 s\n  and 1 more rank, in --json\n");
    EXPECT_EQ(markdownOf(blocks),
              "|  | step |\n| --- | ---: |\n| rank 0 | 1 s |\n| rank 1 | 2 s |\n\nand 1 more rank, in --json\n\n");
    EXPECT_THAT(htmlOf(blocks),
                AllOf(HasSubstr("data-table=\"late\""), HasSubstr("<caption>Late ranks</caption>"), HasSubstr("rank 0"),
                      Not(HasSubstr("rank 1")), HasSubstr("The first 1 of 3 rows")));
}

TEST(Blocks, OfMarkedLinesAreColumnsInTextATableInMarkdownAndMarksInHtml) {
    const std::vector<Block> blocks = {marksOf(Marks::Kind::Lines)};
    EXPECT_EQ(textOf(blocks),
              "  look here    Input              The loader is late.\n"
              "                                  To find out: record it.\n"
              "  next         Validate           Compare.\n"
              "                                  rankscope-cli compare A B\n");
    EXPECT_EQ(
        markdownOf(blocks),
        "|  | what | says |\n| --- | --- | --- |\n"
        "| ▲ look here | Input | The loader is late. To find out: record it. |\n| next | Validate | Compare. |\n\n");
    EXPECT_THAT(htmlOf(blocks), AllOf(HasSubstr("<span class=\"mark look\">look here</span>"),
                                      HasSubstr("The loader is late.<div class=\"note\">To find out: record it.</div>"),
                                      HasSubstr("<code>rankscope-cli compare A B</code>")));
}

TEST(Blocks, OfQuestionsAndStepsHaveTheirOwnLayout) {
    EXPECT_THAT(textOf(std::vector<Block>{marksOf(Marks::Kind::Questions)}),
                HasSubstr("  look here    Input\n               The loader is late.\n"));
    EXPECT_THAT(markdownOf({marksOf(Marks::Kind::Questions)}),
                AllOf(HasSubstr("| question | answer |"), HasSubstr("| look here | Input |")));
    EXPECT_EQ(markdownOf({marksOf(Marks::Kind::Steps)}),
              "1. **Input** (look here): The loader is late. To find out: record it.\n"
              "2. **Validate** (next): Compare. `rankscope-cli compare A B`\n\n");
}

TEST(Blocks, OfFindingsThatCannotBeJudgedNameThemTogether) {
    const std::vector<Block> blocks = {
        Untold{{{{FindingId::HostSync, FindingId::HostCode}, "No launches.", "Record launches."}}}};
    EXPECT_EQ(textOf(blocks), "  host-sync, host-code: No launches. Record launches.\n");
    EXPECT_EQ(markdownOf(blocks), "- `host-sync`, `host-code`: No launches. Record launches.\n\n");
    EXPECT_THAT(htmlOf(blocks), AllOf(HasSubstr("data-key=\"finding_id\""), HasSubstr("host-sync, host-code")));
}

TEST(Parts, OfARunAreTheSameInTextAndMarkdownButForWhatEachLeavesOut) {
    const AnalysedRun run = test::sampleRun();
    std::vector<std::string> text;
    for (const Part& part : runParts(run, Format::Text)) {
        text.push_back(part.title);
    }
    std::vector<std::string> both;
    std::vector<std::string> markdown_only;
    for (const Part& part : runParts(run, Format::Markdown)) {
        (std::ranges::find(text, part.title) != text.end() ? both : markdown_only).push_back(part.title);
    }
    EXPECT_EQ(both, text);
    EXPECT_THAT(markdown_only, testing::ElementsAre("Check list: Low MFU", "Check list: Slow communication",
                                                    "Check list: Memory pressure"));
}

}  // namespace
}  // namespace rankscope::report
