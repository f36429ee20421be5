// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/format.h"
#include "core/report/model/summary.h"
#include "core/report/reports.h"
#include "tests/support/analysed.h"
#include "tests/support/pipeline_job.h"
#include "tests/support/report_schema.h"

namespace rankscope::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

AnalysedRun slowStage() {
    PipelineJob job = oneFOneBJob();
    job.stages = {{}, {}, {.forward_us = 150, .backward_us = 300}};
    return analyse(runOf(job));
}

TEST(PipelineReport, HoldsItsPlaceInTheSchema) {
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

TEST(PipelineReport, TheVerdictSaysWhatEachRankStandsStillForBesideThePathThroughAllStages) {
    const AnalysedRun run = slowStage();
    const double bubble = run.facts.pipeline.pipelines[0].bubbleShare();
    ASSERT_GT(bubble, 0.1);
    const json verdict = json::parse(jsonReport({{&run}, {}}))["runs"][0]["verdict"];
    EXPECT_DOUBLE_EQ(verdict["pipeline_bubble"].get<double>(), bubble);
    const std::string told = "each rank itself stands still for " + formatPercent(bubble);
    EXPECT_THAT(report::verdictLine(run.facts), HasSubstr(told));
    RunFacts without = run.facts;
    without.pipeline = {};
    EXPECT_THAT(report::verdictLine(without), Not(HasSubstr("stands still")));
}

TEST(PipelineReport, SaysTheSameInAllFormats) {
    const AnalysedRun run = slowStage();
    for (const std::string& text : {textReport(run), markdownReport({{&run}, {}}), htmlReport({{&run}, {}})}) {
        EXPECT_THAT(text, AllOf(HasSubstr("Pipelines"), HasSubstr("5 micro-batches a step"), HasSubstr("1F1B")));
    }
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
