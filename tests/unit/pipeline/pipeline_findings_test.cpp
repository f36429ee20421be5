// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/diagnosis/prices/pipeline_prices.h"
#include "tests/support/analysed.h"
#include "tests/support/model_builder.h"
#include "tests/support/pipeline_job.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// Whether one of the remedies names this option.
bool advises(const Finding& finding, const std::string& option) {
    return std::ranges::any_of(finding.remedies,
                               [&](const Remedy& remedy) { return remedy.action.find(option) != std::string::npos; });
}

TEST(PipelineBubble, IsPricedByTheSameWorkInMoreMicroBatches) {
    const AnalysedRun run = analyse(runOf(oneFOneBJob()));
    const Finding& bubble = findingIn(run, "pipeline-bubble");
    // (m + p - 1) x 300 us as it is; with twice as many micro-batches (2 m + p - 1) x 300 us for two steps.
    EXPECT_EQ(bubble.saving_ns, (5 + 2) * 300 * kUs - (10 + 2) * 300 * kUs / 2);
    EXPECT_FALSE(bubble.at_most);
    ASSERT_TRUE(bubble.range);
    EXPECT_EQ(bubble.range->low_ns, bubble.saving_ns);
    EXPECT_EQ(bubble.range->high_ns, 2 * 300 * kUs) << "with no bubble at all";
    EXPECT_THAT(bubble.why,
                HasSubstr("The saving is between 300 \u00b5s and 600 \u00b5s. The low end is the best change above "
                          "less the simulation's error of 0 ns; the high end is no bubble at all."));
    EXPECT_EQ(bubble.confidence, Confidence::Medium);
    EXPECT_EQ(bubble.blocked_ns, 2 * 300 * kUs) << "(p - 1) passes of both kinds";
    EXPECT_TRUE(advises(bubble, "--micro-batch-size"));
    EXPECT_FALSE(advises(bubble, "--num-layers-per-virtual-pipeline-stage")) << "3 ranks do not divide 5 micro-batches";
    EXPECT_FALSE(bubble.evidence.empty());
}

TEST(PipelineBubble, OfSeveralPipelinesNamesTheOneThatIsMeantWhereTheyAreNotAlike) {
    const AnalysedRun run = analyse(runOf(oneFOneBJob()));
    std::vector<Pipeline> pipelines = run.facts.pipeline.pipelines;
    ASSERT_EQ(pipelines.size(), 1U);
    const Sentences& say = Sentences::builtIn();
    const std::string ranks = "ranks 0, 1 and 2";
    const std::string share = formatPercent(pipelines.front().bubbleShare());
    EXPECT_EQ(bubbleTitle(say, pipelines, pipelines.front(), ranks), "Pipeline bubble: " + share + " of the time");
    pipelines.push_back(pipelines.front());
    EXPECT_EQ(bubbleTitle(say, pipelines, pipelines.front(), ranks),
              "Pipeline bubbles: " + share + " of the time in each pipeline");
    for (PipelineStep& step : pipelines.back().steps) {
        step.ranks.front().times.bubble[0] += 400'000;
    }
    ASSERT_NE(formatPercent(pipelines.back().bubbleShare()), share);
    EXPECT_EQ(bubbleTitle(say, pipelines, pipelines.front(), ranks),
              "Pipeline bubble of ranks 0, 1 and 2: " + share + " of the time");
}

TEST(PipelineBubble, IsPricedByMoreStagesWhereTheMicroBatchesFit) {
    PipelineJob job;
    job.orders = {"0F0 0F1 0B0 0F2 0B1 0F3 0B2 0B3", "1F0 1B0 1F1 1B1 1F2 1B2 1F3 1B3"};
    job.stages = {{}};
    const AnalysedRun run = analyse(runOf(job));
    const Finding& bubble = findingIn(run, "pipeline-bubble");
    EXPECT_TRUE(advises(bubble, "--num-layers-per-virtual-pipeline-stage"));
    // The pipeline alone takes less than a step: the step is told by what that saves of it.
    const PipelineForecast& forecast = *run.facts.pipeline.pipelines.front().forecast;
    ASSERT_TRUE(forecast.more_stages_ns.has_value());
    EXPECT_EQ(formatDuration(*forecast.more_stages_ns), "1.35 ms");
    EXPECT_EQ(formatDuration(run.facts.pricedStep() - (forecast.played_ns - *forecast.more_stages_ns)), "1.62 ms");
    EXPECT_THAT(bubble.why, HasSubstr("With 2 interleaved stages per rank, a step would take 1.62 ms"));
}

TEST(StageImbalance, NamesTheSlowRankAndWhatAnEvenDivisionWouldGive) {
    const PipelineJob job = slowLastStage();
    const AnalysedRun run = analyse(runOf(job));
    const Finding& imbalance = findingIn(run, "stage-imbalance");
    EXPECT_THAT(imbalance.ranks, ElementsAre(RankPosition{2}));
    EXPECT_EQ(imbalance.saving_ns, planOf(job).window_ns - 7 * 300 * kUs) << "as many kernels as the others: slower";
    const PipelineForecast& forecast = *run.facts.pipeline.pipelines.front().forecast;
    EXPECT_NEAR(static_cast<double>(forecast.even_ns), 7 * 350e3, 10)
        << "the mean of the three is 350 us a micro-batch";
    EXPECT_THAT(imbalance.title, HasSubstr("Rank 2 (stage 2)"));
    EXPECT_TRUE(advises(imbalance, "--decoder-last-pipeline-num-layers"));
    EXPECT_FALSE(advises(imbalance, "--decoder-first-pipeline-num-layers"));
}

TEST(StageImbalance, SaysThatItsSavingIsMoreThanTheWaitingAndDoesNotSayZeroMore) {
    const PipelineJob job = slowLastStage();
    const AnalysedRun run = analyse(runOf(job));
    const Finding& imbalance = findingIn(run, "stage-imbalance");
    EXPECT_THAT(imbalance.summary,
                AllOf(HasSubstr("A rank waits " + formatDuration(imbalance.blocked_ns) + " per step"),
                      HasSubstr(" on average for slower stages"),
                      HasSubstr("without them a step would take " + formatDuration(imbalance.saving_ns) + " less")));
    EXPECT_THAT(imbalance.why, AllOf(HasSubstr("it has no more of it"), Not(HasSubstr("0.0 %"))));
}

TEST(StageImbalance, IsPricedByAnEvenDivisionWhereTheSlowRankHasMoreWork) {
    PipelineJob job = slowLastStage();
    job.kernels = 4;
    job.more_kernels = {0, 0, 2};
    const AnalysedRun run = analyse(runOf(job));
    const Finding& imbalance = findingIn(run, "stage-imbalance");
    EXPECT_NEAR(static_cast<double>(imbalance.saving_ns), static_cast<double>(planOf(job).window_ns - 7 * 350 * kUs),
                10);
    EXPECT_THAT(imbalance.why, HasSubstr("It computes 50 % more than the others (median)"));
}

TEST(StageImbalance, SaysWhatMovingALayerWouldSaveWhereModulesAreRecorded) {
    PipelineJob job = oneFOneBJob();
    job.layers = {4, 3, 5};
    job.stages = {{.forward_us = 120, .backward_us = 240},
                  {.forward_us = 90, .backward_us = 180},
                  {.forward_us = 150, .backward_us = 300}};
    const AnalysedRun run = analyse(runOf(job));
    const Pipeline& pipeline = run.facts.pipeline.pipelines.front();
    EXPECT_EQ(pipeline.layers.name, "Layer");
    EXPECT_EQ(pipeline.layers.of_ranks, (std::vector<std::size_t>{4, 3, 5}));
    PipelineJob even = job;
    even.stages = {{.forward_us = 120, .backward_us = 240}};
    ASSERT_TRUE(pipeline.forecast && pipeline.forecast->moved);
    EXPECT_EQ(pipeline.forecast->moved->layer_ns, 90 * kUs);
    EXPECT_EQ(pipeline.forecast->moved->played_ns, planOf(even).window_ns) << "4, 4 and 4";
    const Finding& imbalance = findingIn(run, "stage-imbalance");
    EXPECT_THAT(imbalance.why, HasSubstr("4, 3, 5 layers (Layer), 90.0 \u00b5s each"));
}

TEST(StageImbalance, IsNotFoundWhereAllStagesAreAlike) {
    for (const PipelineJob& job : {gpipeJob(), oneFOneBJob(), interleavedJob()}) {
        EXPECT_EQ(findingOf(analyse(runOf(job)), "stage-imbalance"), nullptr);
    }
}

void expectSilent(const AnalysedRun& run) {
    EXPECT_TRUE(run.facts.pipeline.pipelines.empty());
    EXPECT_EQ(findingOf(run, "pipeline-bubble"), nullptr);
    EXPECT_EQ(findingOf(run, "stage-imbalance"), nullptr);
}

TEST(PipelineFindings, SayWhatIsUnknownAndWhatToRecord) {
    PipelineJob job = oneFOneBJob();
    job.missing = 1;
    const AnalysedRun run = analyse(runOf(job));
    EXPECT_EQ(findingOf(run, "pipeline-bubble"), nullptr);
    const auto unknown = std::ranges::find(run.diagnosis.cannot_tell, FindingId::PipelineBubble, &CannotTell::id);
    ASSERT_NE(unknown, run.diagnosis.cannot_tell.end());
    EXPECT_THAT(unknown->reason, HasSubstr("Not all ranks of a pipeline were opened"));
    EXPECT_THAT(unknown->record, HasSubstr("all ranks of a pipeline"));
}

TEST(PipelineFindings, AreNotMadeOfRunsWithoutAPipeline) {
    for (const auto& path : corpusRuns()) {
        SCOPED_TRACE(path.string());
        expectSilent(loadAndAnalyse(path));
    }
}

TEST(PipelineFindings, AreNotMadeOfRealRunsWithoutAPipeline) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    for (const char* name : {"unseen_1/megatron_tp8", "unseen_1/fsdp2_4ranks", "resnet_ddp_4ranks_rocm"}) {
        SCOPED_TRACE(name);
        expectSilent(loadAndAnalyse(realTraces() / name));
    }
}

}  // namespace
}  // namespace rankscope::test
