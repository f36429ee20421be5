// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/reports.h"

#include <sstream>

#include "core/report/words/summary.h"
#include "tests/support/testing.h"
#include "tests/unit/report/sample_run.h"

namespace rankscope::test {
namespace {

/// The text on one line with single spaces, so that a test does not depend on where lines break.
std::string flat(const std::string& text) {
    std::istringstream words(text);
    std::string out;
    for (std::string word; words >> word;) {
        out += (out.empty() ? "" : " ") + word;
    }
    return out;
}

/// A pipeline of one rank and step, with no forecast.
Pipeline pipelineWithBubble(DurationNs busy_ns, DurationNs bubble_ns) {
    Pipeline pipeline;
    pipeline.size = 1;
    pipeline.ranks = {RankPosition()};
    pipeline.places = {0};
    pipeline.steps.emplace_back().ranks.emplace_back().times.forward_ns = busy_ns;
    pipeline.steps.front().ranks.front().times.bubble.front() = bubble_ns;
    pipeline.counted = {0};
    return pipeline;
}

TEST(TextReport, HasTheFindingItsPriceItsRemedyAndItsPlace) {
    const std::string text = flat(textReport(sampleRun()));
    EXPECT_THAT(text, HasSubstr("The device waits for input [high, dataloader-stall]"));
    EXPECT_THAT(text,
                HasSubstr("saves 450 ns per step (30 %), blocks 600 ns per step; confidence medium; rank 2; step 5"));
    EXPECT_THAT(text, HasSubstr("Do: Set num_workers=4. Workers load beside the training."));
    EXPECT_THAT(text, HasSubstr("rank 2, step 5, 600 ns at 100 ns on thread 42"));
    EXPECT_THAT(text, HasSubstr("(rank2.json, byte 4321)"));
}

TEST(TextReport, HasAnUncertainSavingAlsoAsTheRangeOfTheWindow) {
    AnalysedRun run = sampleRun();
    run.diagnosis.findings[0].range = SavingRange{340, 510};
    const std::string range = "450 ns per step (30 %), 95 %: 340 ns to 510 ns (20 % to 30 %)";
    EXPECT_THAT(flat(textReport(run)), HasSubstr("saves " + range + ", blocks 600 ns per step"));
    EXPECT_THAT(markdownReport({{&run}, {}}),
                AllOf(HasSubstr("saves " + range), HasSubstr("| 450 ns (30 %), 95 %: 340 to 510 ns ")));
    EXPECT_THAT(htmlReport({{&run}, {}}), HasSubstr("30 %, 95 %: 340 ns to 510 ns (20 % to 30 %)"));
    run.diagnosis.findings[0].range = SavingRange{0, 510};
    EXPECT_THAT(flat(textReport(run)), HasSubstr("(30 %), 95 %: 0 to 510 ns (30 %), blocks"));
    run.diagnosis.findings[0].range = SavingRange{445, 455};
    EXPECT_THAT(textReport(run), Not(HasSubstr("95 %:"))) << "within 2 % of the step";
}

TEST(TextReport, SaysWhichStepsPricesCoverWhereTheStepNextToThemCoversMore) {
    AnalysedRun run = sampleRun();
    run.facts.verdict.coverage = {.steps = 29, .of_steps = 29, .time_ns = 60, .of_time_ns = 100};
    run.diagnosis.prices = {.steps = 28, .of_steps = 29, .time_ns = 59, .of_time_ns = 100};
    const auto says = AllOf(HasSubstr("The verdict and the median step are based on 29 of 29 steps"),
                            HasSubstr("the prices on 28 of 29 steps"));
    EXPECT_THAT(flat(textReport(run)), says);
    EXPECT_THAT(markdownReport({{&run}, {}}), says);
    EXPECT_THAT(htmlReport({{&run}, {}}), says);
    EXPECT_THAT(flat(textFinding(run, 0)), says) << "a copied finding stands alone";
    EXPECT_THAT(markdownFinding(run, 0), says);
    run.facts.basis = StepBasis::Mean;
    EXPECT_THAT(flat(textReport(run)), HasSubstr("The verdict and the mean step are based on 29"));
    run.diagnosis.prices = run.facts.verdict.coverage;
    EXPECT_THAT(flat(textReport(run)), AllOf(HasSubstr("The verdict and the prices are based on 29 of 29 steps"),
                                             Not(HasSubstr("the prices on"))));
}

TEST(TextReport, SaysWhatIsWrongWithTheFilesAndWhatIsUnknown) {
    const std::string text = flat(textReport(sampleRun()));
    EXPECT_THAT(text, HasSubstr("Not read: runs/rank1.json, byte 99: ends in the middle"));
    EXPECT_THAT(text, HasSubstr("No file for ranks 0, 1"));
    EXPECT_THAT(text, HasSubstr("rank 2: events that could not be read: 1"));
    EXPECT_THAT(text, HasSubstr("straggler-rank: One rank of many is here. Record all ranks."));
    EXPECT_THAT(text, HasSubstr("rank 2: step 6 not priced: warm-up"));
}

TEST(TextReport, SaysOnceWhatIsUnknownForOneReason) {
    AnalysedRun run = sampleRun();
    run.diagnosis.cannot_tell = {{FindingId::HostSync, "No launches.", "Record launches."},
                                 {FindingId::HostCode, "No launches.", "Record launches."},
                                 {FindingId::HostCode, "No stacks.", "Record stacks."}};
    EXPECT_THAT(flat(textReport(run)), HasSubstr("host-sync, host-code: No launches. Record launches. host-code: No "
                                                 "stacks. Record stacks."));
    EXPECT_THAT(markdownReport({{&run}, {}}), HasSubstr("`host-sync`, `host-code`: No launches"));
    EXPECT_THAT(htmlReport({{&run}, {}}), HasSubstr(">host-sync, host-code<"));
}

TEST(TextReport, RanksWithTheSameTroubleShareALine) {
    AnalysedRun run = sampleRun();
    run.facts.ranks[1].steps.push_back(run.facts.ranks[0].steps[1]);
    EXPECT_THAT(flat(textReport(run)), HasSubstr("ranks 2, 3: step 6 not priced: warm-up"));
}

TEST(TextReport, RanksWhoseOddStepsDifferAreNotMixedUp) {
    AnalysedRun run = sampleRun();
    run.facts.ranks[1].steps[0].outlier = true;
    run.facts.ranks[1].steps[0].outlier_reason = "warm-up";
    const std::string text = flat(textReport(run));
    EXPECT_THAT(text, HasSubstr("rank 2: step 6 not priced: warm-up"));
    EXPECT_THAT(text, HasSubstr("rank 3: step 5 not priced: warm-up"));
}

TEST(TextReport, SaysSoWhereThereIsNoFinding) {
    AnalysedRun run = sampleRun();
    run.diagnosis.findings.clear();
    EXPECT_THAT(flat(textReport(run)), HasSubstr("nothing costs 1 % of the step"));
    run.facts.efficiency.no_flops = NoFlops::NoDevice;
    EXPECT_THAT(flat(textReport(run)), HasSubstr("without GPU work nothing can be priced"));
    run.facts.median_step_ns = 0;
    EXPECT_THAT(flat(textReport(run)), HasSubstr("nothing can be priced"));
}

TEST(TextReport, NamesABubbleWithoutAPriceWhereThereIsNoFinding) {
    AnalysedRun run = sampleRun();
    run.diagnosis.findings.clear();
    run.facts.pipeline.pipelines = {pipelineWithBubble(78, 22)};
    const std::string text = flat(textReport(run));
    EXPECT_THAT(text, AllOf(HasSubstr("None: nothing with a price costs 1 %"), HasSubstr("A bubble takes 22 %"),
                            Not(HasSubstr("nothing costs 1 %"))));
    run.facts.pipeline.pipelines.front().forecast.emplace();
    EXPECT_THAT(flat(textReport(run)), HasSubstr("nothing costs 1 %")) << "its price was worked out";
    run.facts.pipeline.pipelines = {pipelineWithBubble(995, 5)};
    EXPECT_THAT(flat(textReport(run)), HasSubstr("nothing costs 1 %")) << "under 1 %";
}

TEST(MarkdownReport, ShortensTheNamesOfTheKernelsThatAreEvidence) {
    AnalysedRun run = sampleRun();
    run.diagnosis.findings[0].evidence = {{RankPosition(), 5, {TrackId(1), 0}, "blocks"}};
    const std::string name(run.run->ranks[0]->name({TrackId(1), 0}));
    EXPECT_THAT(markdownReport({{&run}, {}}), HasSubstr("`" + report::shortName(name) + "`, "));
}

TEST(TextReport, ControlCharactersOfNamesDoNotReachTheTerminal) {
    AnalysedRun run = sampleRun();
    run.diagnosis.findings[0].why = "a \x1b[31mred\x1b[0m name";
    EXPECT_THAT(textReport(run), AllOf(HasSubstr("?[31mred"), Not(HasSubstr("\x1b"))));
}

TEST(TextReport, ARankWhoseStepsAreAllOddIsMarked) {
    AnalysedRun run = sampleRun();
    EXPECT_THAT(flat(textReport(run)), HasSubstr("rank 2 1 of 2 1.50 µs"));
    run.facts.ranks[0].steps[0].complete = false;
    EXPECT_THAT(flat(textReport(run)), HasSubstr("rank 2 * 0 of 2 1.50 µs"));
}

TEST(TextReport, ShowsWhoComesLateTheLatestFirst) {
    AnalysedRun run = sampleRun();
    EXPECT_THAT(textReport(run), Not(HasSubstr("Late ranks")));
    std::vector<RankLateness>& ranks = run.facts.stragglers.ranks;
    ranks.resize(2);
    ranks[0].segment_ns = 400;
    ranks[1].rank = RankPosition(1);
    ranks[1].segment_ns = 600;
    ranks[1].over_mean = 1.2;
    ranks[1].z_score = 1.0;
    const std::string text = textReport(run);
    EXPECT_THAT(text, HasSubstr("Late ranks"));
    const std::string table = text.substr(text.find("Late ranks"));
    EXPECT_LT(table.find("600 ns"), table.find("400 ns"));
    EXPECT_THAT(table, AllOf(HasSubstr("120 %"), HasSubstr("1.00")));
    EXPECT_THAT(markdownReport({{&run}, {}}), HasSubstr("<summary>Late ranks</summary>"));
    ranks.resize(10, RankLateness(ranks[0]));
    EXPECT_THAT(textReport(run), HasSubstr("and 2 more ranks, in --json\n"));
    EXPECT_THAT(markdownReport({{&run}, {}}), HasSubstr("and 2 more ranks, in --json\n\n"));
}

TEST(TextReport, DoesNotDescribeARankWithoutAFindingButMarksItInTheTable) {
    AnalysedRun run = sampleRun();
    run.diagnosis.findings.clear();
    run.facts.stragglers.ranks.resize(2);
    run.facts.stragglers.ranks[1].rank = RankPosition(1);
    EXPECT_EQ(report::findingsOfRank(run, RankPosition(0)), "");
    const report::Table table = report::latenessTable(run, 2);
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(table.rows[0].back(), "-");
}

TEST(TextInfo, ShowsTracksAndFiles) {
    const std::string text = flat(textInfo(sampleRun()));
    EXPECT_THAT(text, HasSubstr("sample: 2 ranks, steps 5, 6"));
    EXPECT_THAT(text, HasSubstr("0 (Some GPU)"));
    EXPECT_THAT(text, HasSubstr("runs/rank3.json rank 3 PyTorch JSON 1.00 kB 5.00 kB"));
    EXPECT_THAT(text, HasSubstr("stream 7 stream 0 1 1"));
}

TEST(MarkdownReport, SaysWhatTheTextSays) {
    const AnalysedRun run = sampleRun();
    const std::string markdown = markdownReport({{&run}, {{"gone.json", std::nullopt, "no such file"}}});
    EXPECT_THAT(markdown, HasSubstr("| 1 | 450 ns (30 %) | The device waits for input | rank 2 | num\\_workers=4 |\n"));
    EXPECT_THAT(markdown, HasSubstr("- **Set num\\_workers=4.** Workers load"));
    EXPECT_THAT(markdown, HasSubstr("| rank 2 | 1 of 2 | 1.50 µs |"));
    EXPECT_THAT(markdown, HasSubstr("gone.json: no such file"));
    EXPECT_THAT(markdown, HasSubstr("`enumerate(DataLoader)#__next__`, rank 2, step 5"));
}

TEST(MarkdownReport, ShowsTheOutcomeAndFoldsTheRest) {
    const AnalysedRun run = sampleRun();
    const std::string markdown = markdownReport({{&run}, {}});
    const std::string open = markdown.substr(0, markdown.find("<details>"));
    EXPECT_THAT(open, AllOf(HasSubstr("**input-bound.** The GPU waits"), HasSubstr("| 1 | 450 ns (30 %) |"),
                            Not(HasSubstr("rank 2, step 5"))));
    EXPECT_THAT(markdown, HasSubstr("<summary>Where the step time goes</summary>\n\n| "));
    int depth = 0;
    std::istringstream lines(markdown);
    for (std::string line; std::getline(lines, line);) {
        depth += line == "<details>" ? 1 : 0;
        depth -= line == "</details>" ? 1 : 0;
        EXPECT_LE(depth, 1) << line;
    }
    EXPECT_EQ(depth, 0);
}

TEST(MarkdownReport, NamesCannotUnfoldIt) {
    AnalysedRun run = sampleRun();
    run.diagnosis.findings[0].title = "</summary></details><script>";
    EXPECT_THAT(markdownReport({{&run}, {}}), Not(HasSubstr("<script>")));
}

TEST(MarkdownReport, AnAddressInANameIsNoLink) {
    AnalysedRun run = sampleRun();
    run.diagnosis.findings[0].why = "see http://evil.example and WWW.evil.example, or ask x@evil.example at 1:2";
    EXPECT_THAT(markdownReport({{&run}, {}}),
                HasSubstr("see http\\://evil.example and WWW\\.evil.example, or ask x\\@evil.example at 1:2"));
}

TEST(TextReport, ManyStepsLeftOutForDifferentReasonsTakeAFewHundredLines) {
    AnalysedRun run = sampleRun();
    RankStep odd = run.facts.ranks[0].steps[0];
    odd.outlier = true;
    for (std::int64_t i = 0; i < 50'000; ++i) {
        odd.index = i;
        odd.outlier_reason = "reason " + std::to_string(i);
        run.facts.ranks[0].steps.push_back(odd);
    }
    const std::vector<std::string> lines = report::leftOutSteps(run);
    ASSERT_EQ(lines.size(), report::kMostLines + 1);
    EXPECT_THAT(lines.back(), testing::StartsWith("and 49,8"));
}

}  // namespace
}  // namespace rankscope::test
