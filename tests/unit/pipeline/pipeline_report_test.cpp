// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/verdict_words.h"
#include "core/base/format.h"
#include "core/report/reports.h"
#include "core/report/tables/rank_statistics.h"
#include "core/report/tables/run_tables.h"
#include "core/report/words/summary.h"
#include "tests/support/analysed.h"
#include "tests/support/pipeline_job.h"
#include "tests/support/report_schema.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

AnalysedRun slowStage() {
    PipelineJob job = oneFOneBJob();
    job.stages = {{}, {}, {.forward_us = 150, .backward_us = 300}};
    return analyse(runOf(job));
}

TEST(PipelineReport, MatchesTheSchema) {
    const AnalysedRun run = slowStage();
    RANKSCOPE_EXPECT_REPORT_HOLDS(jsonReport({{&run}, {}}));
}

TEST(PipelineReport, HasStagesPassesAndBubbleInTheJson) {
    const AnalysedRun run = slowStage();
    const json pipelines = json::parse(jsonReport({{&run}, {}}))["runs"][0]["pipeline"];
    ASSERT_EQ(pipelines.size(), 1U);
    const json& pipeline = pipelines[0];
    EXPECT_EQ(pipeline["schedule"], "1f1b");
    EXPECT_EQ(pipeline["micro_batches"], 5);
    EXPECT_EQ(pipeline["stages"][2]["backward_ns"], 300'000);
    const json& rank = pipeline["steps"][0]["ranks"][2];
    EXPECT_EQ(rank["passes"].size(), 10U);
    EXPECT_EQ(rank["passes"][0]["stage"], 2);
    std::int64_t bubble_ns = 0;
    for (const json& part : rank["bubble"]) {
        bubble_ns += part["end_ns"].get<std::int64_t>() - part["start_ns"].get<std::int64_t>();
    }
    std::int64_t by_cause_ns = 0;
    for (const auto& [cause, ns] : rank["times"]["bubble_ns"].items()) {
        by_cause_ns += ns.get<std::int64_t>();
    }
    EXPECT_EQ(bubble_ns, by_cause_ns);
    EXPECT_GT(bubble_ns, 0);
}

TEST(PipelineReport, TheVerdictSaysHowLongEachRankIsIdleNextToThePathThroughAllStages) {
    const AnalysedRun run = slowStage();
    const double bubble = run.facts.pipeline.pipelines[0].bubbleShare();
    ASSERT_GT(bubble, 0.1);
    const json verdict = json::parse(jsonReport({{&run}, {}}))["runs"][0]["verdict"];
    EXPECT_DOUBLE_EQ(verdict["pipeline_bubble"].get<double>(), bubble);
    const std::string told = "each rank spends " + formatPercent(bubble);
    EXPECT_THAT(report::verdictLine(run.facts), HasSubstr(told));
    RunFacts without = run.facts;
    without.pipeline = {};
    EXPECT_THAT(report::verdictLine(without), Not(HasSubstr("each rank spends")));
}

TEST(PipelineReport, TheVerdictAndTheStatisticsCallTheBubbleOfAPartOfAPipelineALowerBound) {
    PipelineJob job = oneFOneBJob();
    const auto bubble_title = [](const AnalysedRun& run) {
        const std::vector<report::RankStatistic> all = report::rankStatistics(run);
        const auto at = std::ranges::find(all, "bubble_ns", &report::RankStatistic::key);
        return at == all.end() ? std::string() : at->title;
    };
    AnalysedRun whole = analyse(runOf(job));
    job.missing = 0;
    AnalysedRun part = analyse(runOf(job));
    for (AnalysedRun* const run : {&whole, &part}) {
        run->facts.verdict.shares.emplace();  // whatever the path is
        ASSERT_GT(bubbleBesidePath(run->facts).value_or(0), 0.1);
    }
    EXPECT_THAT(besidePathText(whole.facts), AllOf(HasSubstr("each rank spends "), Not(HasSubstr("at least"))));
    EXPECT_THAT(besidePathText(part.facts), HasSubstr("each rank spends at least "));
    EXPECT_EQ(bubble_title(whole), "bubble of the pipeline");
    EXPECT_EQ(bubble_title(part), "bubble of the pipeline, at least");
}

TEST(PipelineReport, SaysTheSameInAllFormats) {
    const AnalysedRun run = slowStage();
    for (const std::string& text : {textReport(run), markdownReport({{&run}, {}}), htmlReport({{&run}, {}})}) {
        EXPECT_THAT(text, AllOf(HasSubstr("Pipelines"), HasSubstr("5 micro-batches per step"), HasSubstr("1F1B")));
    }
}

TEST(PipelineReport, ReportsEqualPipelinesTogether) {
    AnalysedRun run = slowStage();
    std::vector<Pipeline>& pipelines = run.facts.pipeline.pipelines;
    const std::vector<std::string> alone = report::pipelineLines(run, 12);
    for (int more = 0; more < 5; ++more) {
        pipelines.push_back(pipelines.front());
    }
    const std::vector<std::string> together = report::pipelineLines(run, 12);
    ASSERT_EQ(together.size(), alone.size());
    EXPECT_THAT(together.front(), AllOf(HasSubstr("6 similar pipelines (PIPELINE_MODEL_PARALLEL_GROUP), ranks "),
                                        HasSubstr("; and 3 more: 3 ranks each, 1 stage per rank, 5 micro-batches"),
                                        Not(HasSubstr(", most on "))));
    for (PipelineStep& step : pipelines.back().steps) {
        step.ranks.front().times.bubble[0] += 400'000;
    }
    ASSERT_NE(formatPercent(pipelines.back().bubbleShare()), formatPercent(pipelines.front().bubbleShare()));
    EXPECT_THAT(report::pipelineLines(run, 12).front(),
                HasSubstr(" Bubble: " + formatPercent(pipelines.front().bubbleShare()) + " to " +
                          formatPercent(pipelines.back().bubbleShare()) + " of the time they are at work, most on "));
}

TEST(PipelineReport, ReportsPipelinesTogetherWhoseTheoryIsSimulatedFromMeasuredTimes) {
    AnalysedRun run = slowStage();
    std::vector<Pipeline>& pipelines = run.facts.pipeline.pipelines;
    const std::size_t of_one = report::pipelineLines(run, 12).size();
    pipelines.front().theory = 0.28;
    pipelines.push_back(pipelines.front());
    pipelines.back().theory = 0.29;
    const std::vector<std::string> together = report::pipelineLines(run, 12);
    EXPECT_EQ(together.size(), of_one);
    EXPECT_THAT(together.front(),
                AllOf(HasSubstr("2 similar pipelines"), HasSubstr("; 28 % to 29 % if all stages took the same time.")));
}

TEST(PipelineReport, SaysHowManyRanksItHasNoRoomFor) {
    AnalysedRun run = slowStage();
    std::vector<Pipeline>& pipelines = run.facts.pipeline.pipelines;
    EXPECT_THAT(textReport(run) + markdownReport({{&run}, {}}), Not(HasSubstr("more ranks, in --json")));
    pipelines.resize(6, Pipeline(pipelines.front()));  // 18 rows, of which 16 are shown
    EXPECT_THAT(textReport(run), HasSubstr("and 2 more ranks, in --json\n"));
    EXPECT_THAT(markdownReport({{&run}, {}}), HasSubstr("and 2 more ranks, in --json\n\n"));
}

TEST(PipelineReport, NamesTheRanksOfEachPipelineAndWhatItsTimesAreSumsOf) {
    const AnalysedRun run = slowStage();
    const report::DataTable table = report::pipelinesTable(run).only({"ranks", "forward_ns"});
    ASSERT_EQ(table.rows.size(), 1U);
    EXPECT_EQ(report::cellValue(table.rows[0][0]), "0 1 2");
    EXPECT_EQ(table.columns[1].title, "forward, sum of all ranks and steps");
    EXPECT_EQ(report::pipelineStepsTable(run).only({"forward_ns"}).columns[0].title, "forward") << "a row is a rank";
}

TEST(PipelineReport, ReportsPipelinesThatDifferInMoreThanFiguresSeparately) {
    AnalysedRun run = slowStage();
    std::vector<Pipeline>& pipelines = run.facts.pipeline.pipelines;
    const std::size_t of_one = report::pipelineLines(run, 12).size();
    pipelines.push_back(pipelines.front());
    pipelines.back().micro_batches = 7;
    EXPECT_EQ(report::pipelineLines(run, 12).size(), 2 * of_one);
    EXPECT_EQ(report::pipelineLines(run, 1).back(), "And 1 more pipeline, in --json.");
}

TEST(PipelineReport, SaysThatTheBubbleIsLargerWhereARankIsMissing) {
    PipelineJob job = oneFOneBJob();
    EXPECT_THAT(report::pipelineLines(analyse(runOf(job)), 1).front(), HasSubstr(" Bubble: "));
    job.missing = 0;
    EXPECT_THAT(report::pipelineLines(analyse(runOf(job)), 1).front(),
                AllOf(HasSubstr(" Bubble of these ranks: at least "),
                      HasSubstr(" of all ranks if all stages took the same time.")))
        << "the first stage begins before the others do";
}

TEST(PipelineReport, DrawsAStepWithABoxForEachPassOnThePage) {
    const AnalysedRun run = slowStage();
    const std::string page = htmlReport({{&run}, {}});
    EXPECT_THAT(page, HasSubstr("Step 5 by stages and micro-batches"));
    const auto count = [&](const std::string& text) {
        std::size_t found = 0;
        for (std::size_t at = page.find(text); at != std::string::npos; at = page.find(text, at + 1)) {
            ++found;
        }
        return found;
    };
    EXPECT_EQ(count("class=\"f-pass-forward\""), 3U * 5U);
    EXPECT_EQ(count("class=\"f-pass-backward\""), 3U * 5U);
    EXPECT_THAT(page, HasSubstr("backward, 300 \u00b5s, stage 2, micro-batch 4"));
}

TEST(PipelineReport, HasATableForEachPartOfItAsCsv) {
    const AnalysedRun run = slowStage();
    const std::vector<CsvFile> files = csvReport({{&run}, {}});
    const auto rows_of = [&](const std::string& name) {
        const auto file = std::ranges::find(files, name, &CsvFile::name);
        return file == files.end() ? -1 : std::ranges::count(file->text, '\n') - 1;
    };
    EXPECT_EQ(rows_of("pipelines.csv"), 1);
    EXPECT_EQ(rows_of("stages.csv"), 3);
    EXPECT_EQ(rows_of("pipeline_steps.csv"), 3 * 3);
    EXPECT_EQ(rows_of("passes.csv"), 3 * 3 * 10);
}

TEST(PipelineReport, IsLeftOutOfTextsWhereThereIsNone) {
    AnalysedRun run = slowStage();
    run.facts.pipeline.pipelines.clear();
    EXPECT_THAT(textReport(run) + markdownReport({{&run}, {}}) + htmlReport({{&run}, {}}), Not(HasSubstr("Pipelines")));
}

}  // namespace
}  // namespace rankscope::test
