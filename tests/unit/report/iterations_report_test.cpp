// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/report/reports.h"
#include "core/report/words/summary.h"
#include "tests/support/report_schema.h"
#include "tests/support/testing.h"
#include "tests/unit/report/report_parts.h"
#include "tests/unit/report/sample_run.h"

namespace rankscope::test {
namespace {

/// The sample run as a server's: of its two steps one reads prompts.
AnalysedRun servingRun() {
    AnalysedRun run = sampleRun();
    IterationFacts& facts = run.facts.iterations;
    IterationSums prefill;
    prefill.kind = IterationKind::Prefill;
    prefill.steps = prefill.complete = 1;
    prefill.total_ns = prefill.median_ns = prefill.lower_quartile_ns = prefill.upper_quartile_ns = prefill.longest_ns =
        40'000'000;
    prefill.prompt_tokens = 2'000;
    prefill.new_tokens = 0;
    IterationSums decode;
    decode.kind = IterationKind::Decode;
    decode.steps = 3;
    decode.complete = 2;
    decode.priced = true;
    decode.total_ns = 100'000'000;
    decode.median_ns = decode.lower_quartile_ns = decode.upper_quartile_ns = decode.longest_ns = 50'000'000;
    decode.rank_steps = 4;
    decode.rank_steps_ns = 200'000'000;
    decode.compute_ns = 160'000'000;
    decode.idle_ns = 40'000'000;
    decode.kernels = 400;
    decode.graph_launches = 4;
    decode.graph_kernels = 300;
    decode.kernels_ns = 100;
    decode.graph_kernels_ns = 75;
    facts.kinds = {prefill, decode};
    facts.evidence = {"decode by the name of a range of <vLLM>."};
    facts.decodes = 3;
    facts.decodes_held_up = 1;
    run.facts.steps.front().kind = IterationKind::Prefill;
    run.facts.steps.front().other_kind = true;
    return run;
}

TEST(IterationsReport, SaysOfWhichIterationsItsMedianIs) {
    EXPECT_THAT(report::runSummary(servingRun()), HasSubstr(", median decode iteration "));
    EXPECT_THAT(report::runSummary(sampleRun()), HasSubstr(", median step "));
}

TEST(IterationsReport, CallsAWindowWithoutMarksNoIteration) {
    AnalysedRun run = servingRun();
    run.facts.steps.erase(run.facts.steps.begin() + 1, run.facts.steps.end());
    for (RankFacts& rank : run.facts.ranks) {
        rank.step_source = StepSource::WholeWindow;
    }
    EXPECT_THAT(report::runSummary(run),
                testing::AllOf(HasSubstr(", the whole window "), Not(HasSubstr("decode iteration"))));
}

TEST(IterationsReport, HasEachKindInTheJson) {
    const AnalysedRun run = servingRun();
    const std::string report = jsonReport({{&run}, {}});
    const json iterations = json::parse(report)["runs"][0]["iterations"];
    EXPECT_EQ(iterations["kinds"][0]["kind"], "prefill");
    EXPECT_DOUBLE_EQ(iterations["kinds"][0]["tokens_per_second"], 50'000);
    EXPECT_TRUE(iterations["kinds"][1]["tokens_per_second"].is_null()) << "no name counts them";
    EXPECT_EQ(iterations["kinds"][1]["graph_kernels"], 300);
    EXPECT_EQ(iterations["steps"][0]["kind"], "prefill");
    EXPECT_EQ(iterations["steps"][0]["other_kind"], true);
    EXPECT_EQ(iterations["decodes_held_up"], 1);
    RANKSCOPE_EXPECT_REPORT_HOLDS(report);
}

TEST(IterationsReport, SaysNothingOfARunThatDoesNotServe) {
    const AnalysedRun run = sampleRun();
    EXPECT_TRUE(runJson(run)["iterations"].is_null());
    EXPECT_THAT(textReport(run), Not(HasSubstr("Server iterations")));
}

TEST(IterationsReport, RoundsTokensASecond) {
    AnalysedRun run = servingRun();
    run.facts.iterations.kinds.front().new_tokens = 1'999;
    run.facts.iterations.kinds.front().total_ns = 20'015'050;
    const double tokens = *run.facts.iterations.kinds.front().tokensPerSecond();
    ASSERT_GT(tokens - std::floor(tokens), 0.5);
    EXPECT_THAT(textReport(run), HasSubstr(formatCount(static_cast<std::uint64_t>(std::llround(tokens)))));
}

TEST(IterationsReport, SaysWhichKindIsPricedAndWhatPrefillsDelay) {
    const AnalysedRun run = servingRun();
    const std::string text = textReport(run);
    EXPECT_THAT(text, HasSubstr("cover only iterations of the kind \"decode\""));
    EXPECT_THAT(text, HasSubstr("1 of 3 decode iterations follow one that reads prompts"));
    EXPECT_THAT(text, HasSubstr("--max-num-batched-tokens"));
    EXPECT_THAT(text, HasSubstr("50,000")) << "tokens per second";
    EXPECT_THAT(text, HasSubstr("75 %")) << "of the kernels' time in graphs";
    EXPECT_THAT(markdownReport({{&run}, {}}), HasSubstr("Server iterations"));
    const std::string page = htmlReport({{&run}, {}});
    EXPECT_THAT(page, HasSubstr("Iterations by kind"));
    EXPECT_THAT(page, HasSubstr("a range of &lt;vLLM&gt;"));
}

TEST(IterationsReport, HasARowAKindInTheCsv) {
    const AnalysedRun run = servingRun();
    const std::string iterations = csvOf(run, "iterations.csv");
    EXPECT_EQ(std::ranges::count(iterations, '\n'), 3);
    EXPECT_THAT(iterations, HasSubstr("prefill,1,1,false,40000000"));
    EXPECT_THAT(csvOf(run, "run_steps.csv"), HasSubstr(",prefill\r\n")) << "each step says its kind";
}

}  // namespace
}  // namespace rankscope::test
