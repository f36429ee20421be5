// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the commands print for people: one screen, and what is asked for beyond it.

#include <sstream>

#include "app/exit_code.h"
#include "tests/cli/run_cli.h"
#include "tests/support/places.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

std::string zeroWorkers() {
    return sourceFolder() / "resources/samples/ZeroWorkers";
}

std::string fourWorkers() {
    return sourceFolder() / "resources/samples/FourWorkers";
}

void expectOneScreen(const std::string& text) {
    EXPECT_FALSE(text.empty());
    EXPECT_LE(std::ranges::count(text, '\n'), 24) << text;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const auto starts = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };  // of characters
        EXPECT_LE(std::ranges::count_if(line, starts), 100) << line;
    }
}

TEST(Screens, OfAllCommandsAre24LinesOf100Columns) {
    expectOneScreen(cli({"analyze", zeroWorkers()}).out);
    expectOneScreen(cli({"analyze", zeroWorkers(), fourWorkers()}).out);
    expectOneScreen(cli({"check", zeroWorkers()}).out);
    expectOneScreen(cli({"check", zeroWorkers(), fourWorkers()}).out);
    expectOneScreen(cli({"compare", zeroWorkers(), fourWorkers()}).out);
}

TEST(Screens, OfARunHaveTheVerdictAndAFindingARow) {
    const ProcessResult result = cli({zeroWorkers()});
    EXPECT_EQ(result.code, kDone) << result.err;
    EXPECT_THAT(result.out, AllOf(HasSubstr("4 ranks, 4 steps, 91.6 ms per step"), HasSubstr("INPUT-BOUND"),
                                  HasSubstr("quick  GPU waits for input data  rank 2  num_workers=4")));
    EXPECT_EQ(result.out, cli({"analyze", zeroWorkers()}).out) << "a path alone is analyze";
}

TEST(Screens, OfAComparisonBeginWithTheAnswerAndItsReason) {
    const std::string better = cli({"compare", zeroWorkers(), fourWorkers()}).out;
    EXPECT_THAT(better, testing::StartsWith("Difference of recordings: FourWorkers takes 75 % less per step (22.6 ms, "
                                            "was 91.6 ms)"));
    EXPECT_THAT(better, AllOf(HasSubstr("95 %: 68.9 ms to 71.2 ms less per step, from 4 and 4 steps."),
                              HasSubstr("One recording each: a re-run alone can do this.")));
    const std::string worse = cli({"compare", fourWorkers(), zeroWorkers()}).out;
    EXPECT_THAT(worse, AllOf(HasSubstr("ZeroWorkers takes 306 % more per step"), HasSubstr("new: GPU\nwaits for input"),
                             HasSubstr("95 %: 68.9 ms to 71.2 ms more per step")));
}

TEST(Screens, OfSeveralRunsAgainstOneSayThatAReRunAloneCanDoThis) {
    const std::string text = cli({"compare", zeroWorkers(), fourWorkers(), zeroWorkers()}).out;
    EXPECT_THAT(text, AllOf(HasSubstr("75 % less"), HasSubstr("One recording each: a re-run alone can do this.")));
    expectOneScreen(text);
}

TEST(Screens, AreFollowedByAllSectionsWhereTheyAreAskedFor) {
    EXPECT_THAT(cli({"analyze", zeroWorkers(), "--full"}).out,
                AllOf(HasSubstr("Findings"), HasSubstr("Where the step time goes"), HasSubstr("Trace health")));
    EXPECT_THAT(cli({"check", zeroWorkers(), "--full"}).out, AllOf(HasSubstr("Each rank"), HasSubstr("Low MFU")));
    EXPECT_THAT(cli({"compare", zeroWorkers(), fourWorkers(), "--full"}).out, HasSubstr("Collectives"));
}

TEST(Screens, OneSectionOrOneFindingCanBeAskedFor) {
    EXPECT_THAT(cli({zeroWorkers(), "--section", "time"}).out,
                AllOf(HasSubstr("Where the step time goes"), Not(HasSubstr("Findings"))));
    EXPECT_THAT(cli({zeroWorkers(), "--finding", "1"}).out, AllOf(HasSubstr("1. GPU waits"), HasSubstr("Do:")));
    const ProcessResult no_section = cli({zeroWorkers(), "--section", "tme"});
    EXPECT_EQ(no_section.code, kWrongUsage);
    EXPECT_THAT(no_section.err, HasSubstr("did you mean \"time\"?"));
    const ProcessResult no_finding = cli({zeroWorkers(), "--finding", "4"});
    EXPECT_EQ(no_finding.code, kWrongUsage);
    EXPECT_THAT(no_finding.err, HasSubstr("there is no finding 4; the last one is 1"));
    EXPECT_THAT(cli({zeroWorkers(), "--finding", "0"}).err, HasSubstr("is no number from 1"));
}

TEST(Screens, HaveColoursOnlyOnATerminalOrWhereTheyAreAskedFor) {
    EXPECT_THAT(cli({zeroWorkers()}).out, Not(HasSubstr("\x1b")));
    EXPECT_THAT(cli({zeroWorkers(), "--color", "always"}).out, HasSubstr("\x1b[31m"));
    EXPECT_THAT(cli({zeroWorkers(), "--color", "never"}).out, Not(HasSubstr("\x1b")));
    EXPECT_EQ(cli({zeroWorkers(), "--color", "red"}).code, kWrongUsage);
}

TEST(Usage, WithoutArgumentsShowsExamplesAndTheCommands) {
    const ProcessResult result = cli({});
    EXPECT_EQ(result.code, kWrongUsage);
    EXPECT_THAT(result.err, AllOf(HasSubstr("rankscope-cli compare before/ after/"), HasSubstr("  check "),
                                  HasSubstr("  digest ")));
}

TEST(Usage, WhatIsNearlyACommandAnOptionOrAPathIsSuggested) {
    EXPECT_THAT(cli({"analyse", zeroWorkers()}).err, HasSubstr("did you mean \"analyze\"?"));
    EXPECT_THAT(cli({zeroWorkers(), "--htlm", "x"}).err, HasSubstr("did you mean --html?"));
    EXPECT_THAT(cli({zeroWorkers() + "s"}).err, HasSubstr("ZeroWorkers\"?"));
    EXPECT_THAT(cli({"quite-something-else"}).err, Not(HasSubstr("did you mean")));
}

}  // namespace
}  // namespace rankscope::test
