// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/long_passes.h"
#include "tests/support/durations.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

PipelinePass passOf(PassKind kind, std::int32_t batch, const TimeSpan& span) {
    PipelinePass pass;
    pass.kind = kind;
    pass.stage = 0;
    pass.micro_batch = batch;
    pass.span = span;
    return pass;
}

/// One rank with one stage: forwards of 10 ms and backwards of 20 ms in a step of 400 ms, which counts.
Pipeline evenPipeline() {
    Pipeline pipeline;
    pipeline.size = 1;
    pipeline.ranks = {RankPosition(0)};
    pipeline.counted = {0};
    StageTime stage;
    stage.by_kind = {10 * kMs, 20 * kMs, 0};
    pipeline.stage_times = {stage};
    PipelineStep& step = pipeline.steps.emplace_back();
    step.step = RunStepPosition(0);
    step.window = RunSpan({0, 400 * kMs});
    RankPipelineStep& rank = step.ranks.emplace_back();
    TimeNs at_ns = 0;
    for (std::int32_t batch = 0; batch < 4; ++batch) {
        rank.passes.push_back(passOf(PassKind::Forward, batch, {at_ns, at_ns + 10 * kMs}));
        rank.passes.push_back(passOf(PassKind::Backward, batch, {at_ns + 10 * kMs, at_ns + 30 * kMs}));
        at_ns += 40 * kMs;
    }
    return pipeline;
}

void lengthen(Pipeline& pipeline, std::size_t pass, DurationNs length_ns) {
    TimeSpan& span = pipeline.steps[0].ranks[0].passes[pass].span;
    span.end_ns = span.start_ns + length_ns;
}

std::string textOf(const Pipeline& pipeline) {
    Run run;
    auto trace = std::make_shared<RankTrace>();
    trace->rank = RankNumber(5);
    run.ranks.push_back(std::move(trace));
    RunFacts facts;
    facts.steps.resize(1);
    facts.steps[RunStepPosition(0)].index = 12;
    return longPassesText(run, facts, pipeline, longPasses(pipeline));
}

TEST(LongPasses, AreThoseOfThreeTimesTheMedianOfTheirKindAndStage) {
    Pipeline pipeline = evenPipeline();
    EXPECT_THAT(longPasses(pipeline), IsEmpty());
    EXPECT_EQ(textOf(pipeline), "");
    lengthen(pipeline, 2, 29 * kMs);
    EXPECT_THAT(longPasses(pipeline), IsEmpty()) << "less than three times a forward";
    lengthen(pipeline, 2, 30 * kMs);
    lengthen(pipeline, 5, 90 * kMs);
    const std::vector<LongPass> found = longPasses(pipeline);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].pass, 5U) << "the longest first";
    EXPECT_EQ(found[0].excess(), 70 * kMs);
    EXPECT_EQ(found[1].excess(), 20 * kMs);
    EXPECT_THAT(textOf(pipeline), HasSubstr("2 passes take at least three times as long"));
    EXPECT_THAT(textOf(pipeline), HasSubstr("90.0 ms longer in all"));
    EXPECT_THAT(textOf(pipeline),
                HasSubstr("the backward of micro-batch 2 on rank 5 in step 12: 90.0 ms instead of 20.0 ms"));
}

TEST(LongPasses, BelowAHundredthOfTheStepOrInUncountedStepsDoNotCount) {
    Pipeline pipeline = evenPipeline();
    lengthen(pipeline, 2, 30 * kMs);
    pipeline.steps[0].window = RunSpan({0, 2'001 * kMs});
    EXPECT_THAT(longPasses(pipeline), IsEmpty());
    pipeline.steps[0].window = RunSpan({0, 2'000 * kMs});
    EXPECT_EQ(longPasses(pipeline).size(), 1U);
    pipeline.counted.clear();
    EXPECT_THAT(longPasses(pipeline), IsEmpty());
}

TEST(LongPasses, DuringAnotherPassAreLongerForThatReasonAndDoNotCount) {
    Pipeline pipeline = evenPipeline();
    lengthen(pipeline, 2, 90 * kMs);
    pipeline.steps[0].ranks[0].passes[2].overlapped = true;
    EXPECT_THAT(longPasses(pipeline), IsEmpty());
}

}  // namespace
}  // namespace rankscope::test
