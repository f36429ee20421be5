// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/pipeline.h"
#include "tests/support/analysed.h"
#include "tests/support/fact_checks.h"
#include "tests/support/model_builder.h"
#include "tests/support/pipeline_job.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

using testing::Contains;

/// The one pipeline of a job, as it is found.
Pipeline pipelineOf(const PipelineJob& job) {
    const AnalysedRun run = analyse(runOf(job));
    checkPipelines(run.facts);
    const auto& pipelines = run.facts.pipeline.pipelines;
    EXPECT_EQ(pipelines.size(), 1U);
    return pipelines.empty() ? Pipeline() : pipelines.front();
}

PipelineJob named(PipelineJob job) {
    job.named = true;
    return job;
}

/// "0F0 0F1 0B0 ..." of a rank in the first step.
std::string orderOf(const Pipeline& pipeline, std::size_t rank) {
    std::string text;
    for (const PipelinePass& pass : pipeline.steps.front().ranks[rank].passes) {
        const char letter = pass.kind == PassKind::Forward ? 'F' : pass.kind == PassKind::Backward ? 'B' : 'W';
        text += (text.empty() ? "" : " ") + std::to_string(pass.stage) + letter + std::to_string(pass.micro_batch);
    }
    return text;
}

void expectOrders(const PipelineJob& job, const Pipeline& pipeline) {
    ASSERT_EQ(pipeline.steps.size(), static_cast<std::size_t>(job.steps));
    for (std::size_t rank = 0; rank < job.orders.size(); ++rank) {
        EXPECT_EQ(orderOf(pipeline, rank), job.orders[rank]) << "rank " << rank;
    }
}

/// The bubble of every rank and step is what the plan leaves of its window.
void expectBubbleOf(const PipelineJob& job, const Pipeline& pipeline) {
    const PlannedStep plan = planOf(job);
    for (const PipelineStep& step : pipeline.steps) {
        EXPECT_EQ(step.window.plain().length(), plan.window_ns);
        for (std::size_t rank = 0; rank < step.ranks.size(); ++rank) {
            const PipelineTimes& times = step.ranks[rank].times;
            EXPECT_EQ(times.bubbleTotal(), plan.window_ns - plan.busy_ns[rank]) << "rank " << rank;
            EXPECT_EQ(times.busy(), plan.busy_ns[rank]) << "rank " << rank;
        }
    }
}

/// Both of the above, of a job whose schedule is recognised.
Pipeline expectSchedule(const PipelineJob& job, Schedule schedule) {
    Pipeline pipeline = pipelineOf(job);
    EXPECT_EQ(pipeline.schedule, schedule);
    expectOrders(job, pipeline);
    expectBubbleOf(job, pipeline);
    return pipeline;
}

TEST(Pipelines, ThatRunGPipeAreRecognised) {
    const Pipeline pipeline = expectSchedule(gpipeJob(), Schedule::GPipe);
    EXPECT_EQ(pipeline.source, PassSource::SendsAndReceives);
    EXPECT_EQ(pipeline.micro_batches, 4);
    EXPECT_EQ(pipeline.stages_per_rank, 1);
}

TEST(Pipelines, ThatRunOneForwardOneBackwardAreRecognised) {
    EXPECT_EQ(expectSchedule(oneFOneBJob(), Schedule::OneFOneB).micro_batches, 5);
}

TEST(Pipelines, ThatInterleaveStagesAreRecognised) {
    const Pipeline pipeline = expectSchedule(interleavedJob(), Schedule::Interleaved);
    EXPECT_EQ(pipeline.micro_batches, 4);
    EXPECT_EQ(pipeline.stages_per_rank, 2);
}

TEST(Pipelines, WithEqualStagesHaveTheBubbleOfTheTheory) {
    for (const PipelineJob& job : {gpipeJob(), oneFOneBJob(), interleavedJob()}) {
        const Pipeline pipeline = pipelineOf(job);
        ASSERT_TRUE(pipeline.theory);
        EXPECT_DOUBLE_EQ(pipeline.bubbleShare(), *pipeline.theory) << job.orders.front();
        const PipelineTimes times = pipeline.times();
        EXPECT_EQ(times.bubbleOf(BubbleCause::StageWait), 0);
        EXPECT_EQ(times.bubbleOf(BubbleCause::HandOver), 0);
        ASSERT_TRUE(pipeline.forecast);
        EXPECT_EQ(pipeline.forecast->played_ns, planOf(job).window_ns) << "nothing but the schedule is in it";
        EXPECT_EQ(pipeline.forecast->even_ns, pipeline.forecast->played_ns);
    }
}

TEST(Pipelines, FillInTheWarmUpAndEmptyInTheDrain) {
    const Pipeline pipeline = pipelineOf(oneFOneBJob());
    const RankPipelineStep& last = pipeline.steps.front().ranks[2];
    EXPECT_EQ(last.times.bubbleOf(BubbleCause::WarmUp), 200 * kUs) << "two forwards before its own";
    EXPECT_EQ(last.times.bubbleOf(BubbleCause::Drain), 400 * kUs) << "two backwards after its own";
    const RankPipelineStep& first = pipeline.steps.front().ranks[0];
    EXPECT_EQ(first.times.bubbleOf(BubbleCause::WarmUp), 400 * kUs) << "two backwards before its own";
    EXPECT_EQ(first.times.bubbleOf(BubbleCause::Drain), 200 * kUs)
        << "its last two backwards come as fast as the others send";
}

TEST(Pipelines, ShowTheTimeOfHandOvers) {
    PipelineJob job = gpipeJob();
    job.hand_over_us = 10;
    const Pipeline pipeline = pipelineOf(job);
    expectBubbleOf(job, pipeline);
    const PipelineTimes last = pipeline.steps.front().ranks[2].times;
    EXPECT_EQ(last.bubbleOf(BubbleCause::HandOver), 10 * kUs) << "before its first forward; then its inputs are early";
    EXPECT_EQ(last.bubbleOf(BubbleCause::WarmUp), (200 + 10) * kUs) << "the second stage began later, too";
    ASSERT_TRUE(pipeline.forecast);
    EXPECT_EQ(pipeline.forecast->hand_over_ns, 10 * kUs);
    EXPECT_EQ(pipeline.forecast->played_ns, planOf(job).window_ns);
}

TEST(Pipelines, WaitForASlowStageInTheSteadyState) {
    const PipelineJob job = slowLastStage();
    const Pipeline pipeline = pipelineOf(job);
    expectBubbleOf(job, pipeline);
    EXPECT_EQ(pipeline.schedule, Schedule::OneFOneB);
    EXPECT_GT(pipeline.steps.front().ranks[0].times.bubbleOf(BubbleCause::StageWait), 0);
    EXPECT_EQ(pipeline.steps.front().ranks[2].times.bubbleOf(BubbleCause::StageWait), 0);
    ASSERT_EQ(pipeline.stage_times.size(), 3U);
    EXPECT_EQ(pipeline.stage_times[2].of(PassKind::Forward), 150 * kUs);
    EXPECT_EQ(pipeline.stage_times[2].of(PassKind::Backward), 300 * kUs);
}

TEST(Pipelines, TakeStagesAndMicroBatchesFromTheNamesOfRanges) {
    for (const PipelineJob& job : {named(gpipeJob()), named(oneFOneBJob()), named(interleavedJob())}) {
        const Pipeline pipeline = pipelineOf(job);
        EXPECT_EQ(pipeline.source, PassSource::Actions);
        expectOrders(job, pipeline);
        expectBubbleOf(job, pipeline);
    }
}

TEST(Pipelines, AreRecognisedWhereSendsAndReceivesHaveNoArgs) {
    PipelineJob job = interleavedJob();
    job.bare = true;
    expectSchedule(job, Schedule::Interleaved);
}

TEST(Pipelines, TakeNoWorkBehindTheLastBackwardForAForward) {
    PipelineJob job = oneFOneBJob();
    job.clips = true;
    expectSchedule(job, Schedule::OneFOneB);
}

TEST(Pipelines, WithWeightGradientsApartAreOfZeroBubble) {
    PipelineJob job;
    job.named = true;
    job.orders = {"0F0 0F1 0I0 0W0 0F2 0I1 0W1 0I2 0W2", "1F0 1I0 1F1 1W0 1I1 1F2 1W1 1I2 1W2"};
    job.stages = {{.forward_us = 100, .backward_us = 100, .weight_us = 100}};
    const Pipeline pipeline = pipelineOf(job);
    EXPECT_EQ(pipeline.schedule, Schedule::ZeroBubble);
    EXPECT_EQ(pipeline.micro_batches, 3);
    expectBubbleOf(job, pipeline);
    EXPECT_EQ(pipeline.times().weight_gradient_ns,
              2 * 3 * 100 * kUs * static_cast<DurationNs>(pipeline.counted.size()));
    ASSERT_TRUE(pipeline.theory);
    EXPECT_NEAR(*pipeline.theory, pipeline.bubbleShare(), 1e-9) << "stages are equal, and hand over in no time";
}

TEST(Pipelines, OfAnUnknownOrderHaveABubbleAndNoSchedule) {
    PipelineJob job = oneFOneBJob();
    job.orders[1] = "1F0 1F1 1F2 1B0 1F3 1B1 1F4 1B2 1B3 1B4";
    const Pipeline pipeline = pipelineOf(job);
    EXPECT_FALSE(pipeline.schedule);
    EXPECT_FALSE(pipeline.forecast);
    EXPECT_THAT(pipeline.notes, Contains(HasSubstr("record_function(\"PP:")));
    expectBubbleOf(job, pipeline);
}

TEST(Pipelines, OfWhichARankIsMissingSayThatItIs) {
    PipelineJob job = oneFOneBJob();
    job.missing = 1;
    const Pipeline pipeline = pipelineOf(job);
    EXPECT_EQ(pipeline.schedule, Schedule::OneFOneB) << "the others tell it";
    EXPECT_EQ(pipeline.places, (std::vector<std::int32_t>{0, 2}));
    EXPECT_THAT(pipeline.notes,
                Contains(testing::AllOf(HasSubstr("1 of 3 ranks was not opened"),
                                        HasSubstr("Window and bubble are those of the others, and may be longer"))));
    EXPECT_FALSE(pipeline.forecast);
    EXPECT_EQ(pipeline.times().bubbleOf(BubbleCause::HandOver), 0) << "when the data was there is not known";
}

TEST(Pipelines, DoNotWorkWhileTheyWaitInCollectivesOfWhichNotAllRanksWereOpened) {
    PipelineJob job = oneFOneBJob();
    job.norm_with = 3;
    const Pipeline pipeline = pipelineOf(job);
    expectBubbleOf(job, pipeline);
    EXPECT_EQ(pipeline.times().other_ns, 0);
    EXPECT_EQ(pipeline.notes, std::vector<std::string>()) << "the last of them waits for none of the others";
}

TEST(Pipelines, SayHowMuchMayBeWaitingWhereNoOtherMemberWasOpened) {
    PipelineJob job = oneFOneBJob();
    job.norm_with = 3;
    job.norm_apart = true;
    const Pipeline pipeline = pipelineOf(job);
    const PipelineTimes times = pipeline.times();
    EXPECT_EQ(times.unsplit_ns, times.other_ns);
    const auto steps = static_cast<DurationNs>(pipeline.counted.size());
    EXPECT_EQ(times.unsplit_ns, steps * (200 + 400) * kUs) << "what the later stages have behind their last pass";
    EXPECT_THAT(pipeline.notes, Contains(HasSubstr("For 200 \u00b5s per step (mean of the ranks)")));
}

TEST(Pipelines, AreNoneWhereTheGroupIsForSomethingElse) {
    const AnalysedRun run = analyse(runOf(oneFOneBJob(), "CONTEXT_PARALLEL_GROUP"));
    EXPECT_TRUE(run.facts.pipeline.pipelines.empty());
    EXPECT_EQ(findingOf(run, "pipeline-bubble"), nullptr);
}

}  // namespace
}  // namespace rankscope::test
