// SPDX-License-Identifier: GPL-3.0-or-later
// Other micro-batches, schedules and stages of a pipeline, against the job that really runs so.
#include "core/analysis/pipeline/schedule_orders.h"
#include "core/base/statistics.h"
#include "tests/accuracy/simulated_run.h"
#include "tests/support/analysed.h"
#include "tests/support/pipeline_job.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/real_traces.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"
#include "tests/tracegen/machine/job_faults.h"
#include "tests/unit/whatif/told.h"

namespace rankscope::test {
namespace {

/// A job that runs by a schedule, as torch.distributed.pipelining names its passes.
PipelineJob jobOf(Schedule schedule, const PipelineShape& shape, StageLengths lengths = {}) {
    PipelineJob job;
    const bool split = schedule == Schedule::ZeroBubble;
    for (std::int32_t place = 0; place < shape.ranks; ++place) {
        std::string& text = job.orders.emplace_back();
        const std::vector<PassId> order = passOrder(schedule, shape, place).value();
        for (const PassId& pass : order) {
            const char letter = pass.kind == PassKind::Forward          ? 'F'
                                : pass.kind == PassKind::WeightGradient ? 'W'
                                : split                                 ? 'I'
                                                                        : 'B';
            text += (text.empty() ? "" : " ") + std::to_string(pass.stage) + letter + std::to_string(pass.micro_batch);
        }
    }
    job.stages = {lengths};
    job.named = schedule == Schedule::ZeroBubble;
    return job;
}

/// How much longer one job is than another, as planned.
double difference(const PipelineJob& after, const PipelineJob& before) {
    return static_cast<double>(planOf(after).window_ns - planOf(before).window_ns);
}

/// That a forecast for one job gives the other.
void expectForecast(const PipelineJob& before, const std::string& changes, const PipelineJob& after) {
    SCOPED_TRACE(changes);
    const auto run = forecastable(analyse(runOf(before)));
    ASSERT_EQ(run->facts().pipeline.pipelines.size(), 1U);
    EXPECT_THAT(run->facts().pipeline.pipelines.front().notes, testing::IsEmpty());
    const Forecast forecast = forecastFor(*run, changes);
    const auto window_ns = static_cast<double>(planOf(after).window_ns);
    EXPECT_NEAR(static_cast<double>(forecast.forecast_ns - forecast.step_ns), difference(after, before),
                0.01 * window_ns);
    EXPECT_EQ(forecast.after.total(), forecast.forecast_ns);
    const Result<Forecast> really = forecastable(analyse(runOf(after)))->forecast({});
    ASSERT_TRUE(really.ok());
    EXPECT_NEAR(static_cast<double>(forecast.after.compute_ns), static_cast<double>(really.value().before.compute_ns),
                0.02 * window_ns)
        << "passes that are added compute";
    EXPECT_LE(std::abs(forecast.after.added_ns), 1) << "a schedule has no cost of its own";
    EXPECT_LE(forecast.low_ns, forecast.forecast_ns);
    EXPECT_GE(forecast.high_ns, forecast.forecast_ns);
}

TEST(PipelineChanges, OfMicroBatchesGiveTheJobThatHasSoMany) {
    const StageLengths lengths{.forward_us = 100, .backward_us = 210};
    for (const Schedule schedule : {Schedule::GPipe, Schedule::OneFOneB, Schedule::ZeroBubble}) {
        for (const std::int32_t count : {4, 12, 32}) {
            expectForecast(jobOf(schedule, {4, 1, 8}, lengths), "micro_batches=" + std::to_string(count),
                           jobOf(schedule, {4, 1, count}, lengths));
        }
    }
    expectForecast(jobOf(Schedule::Interleaved, {4, 2, 8}), "micro_batches=16",
                   jobOf(Schedule::Interleaved, {4, 2, 16}));
}

TEST(PipelineChanges, OfTheScheduleGiveTheJobThatRunsByIt) {
    const StageLengths one{.forward_us = 100, .backward_us = 200};
    const StageLengths half{.forward_us = 50, .backward_us = 100};
    const PipelineShape shape{4, 1, 8};
    expectForecast(jobOf(Schedule::GPipe, shape, one), "schedule:interleaved",
                   jobOf(Schedule::Interleaved, {4, 2, 8}, half));
    expectForecast(jobOf(Schedule::Interleaved, {4, 2, 8}, half), "schedule:1f1b",
                   jobOf(Schedule::OneFOneB, shape, one));
    const StageLengths split{.forward_us = 100, .backward_us = 100, .weight_us = 100};
    expectForecast(jobOf(Schedule::ZeroBubble, shape, split), "schedule:gpipe", jobOf(Schedule::GPipe, shape, one));
    expectForecast(jobOf(Schedule::OneFOneB, shape, one), "schedule:zero-bubble",
                   jobOf(Schedule::ZeroBubble, shape, split));
}

TEST(PipelineChanges, ToGPipeFromOneForwardOneBackwardKeepTheTime) {
    const auto run = forecastable(analyse(runOf(jobOf(Schedule::OneFOneB, {4, 1, 8}))));
    const Forecast forecast = forecastFor(*run, "schedule:gpipe");
    EXPECT_EQ(forecast.forecast_ns, forecast.step_ns) << "both are idle for (p-1)/(m+p-1)";
}

TEST(PipelineChanges, WithoutTheTimeOfWeightsSaySoAndReachToNoSaving) {
    const auto run = forecastable(analyse(runOf(jobOf(Schedule::OneFOneB, {4, 1, 8}))));
    const Forecast forecast = forecastFor(*run, "schedule:zero-bubble");
    EXPECT_LT(forecast.forecast_ns, forecast.step_ns);
    EXPECT_GE(forecast.high_ns, forecast.step_ns);
    EXPECT_THAT(forecast.notes, testing::Contains(HasSubstr("Half of a backward is taken")));
}

TEST(PipelineChanges, ToEvenStagesTakeTheMeanOfThem) {
    PipelineJob even = slowLastStage();
    even.stages = {{.forward_us = 350.0 / 3, .backward_us = 700.0 / 3}};
    expectForecast(slowLastStage(), "stages:even", even);
}

TEST(PipelineChanges, ArePlayedTogether) {
    expectForecast(jobOf(Schedule::OneFOneB, {4, 1, 6}), "micro_batches=8; schedule:interleaved",
                   jobOf(Schedule::Interleaved, {4, 2, 8}, {.forward_us = 50, .backward_us = 100}));
    const PipelineJob both = jobOf(Schedule::GPipe, {3, 1, 10}, {.forward_us = 350.0 / 3, .backward_us = 700.0 / 3});
    expectForecast(slowLastStage(), "stages:even; schedule:gpipe; micro_batches=10", both);
}

TEST(PipelineChanges, AreRefusedWithTheReason) {
    const auto run = forecastable(analyse(runOf(jobOf(Schedule::OneFOneB, {4, 1, 6}))));
    EXPECT_THAT(told(*run, "schedule:interleaved").why_not,
                HasSubstr("\"schedule:interleaved\": Interleaved stages on 4 ranks need a number of micro-batches that "
                          "4 ranks divide."));
    EXPECT_THAT(told(*run, "schedule:1f1b").why_not, HasSubstr("A pipeline runs by that schedule already."));
    EXPECT_THAT(told(*run, "schedule:1f1c").why_not, HasSubstr("is no schedule here; use gpipe, 1f1b"));
    EXPECT_THAT(told(*run, "schedule:gpipe; schedule:interleaved").why_not, HasSubstr("exclude each other"));
    EXPECT_THAT(told(*run, "micro_batches=100000").why_not, HasSubstr("at most 4,096 micro-batches"));
    for (const char* bad : {"micro_batches=0", "micro_batches=-2", "micro_batches=many", "micro_batches=1.5",
                            "micro_batches=", "stages:odd", "schedule:"}) {
        EXPECT_NE(told(*run, bad).why_not, "") << bad;
    }
}

TEST(PipelineChanges, NeedAPipelineWhoseScheduleIsKnown) {
    PipelineJob job = jobOf(Schedule::OneFOneB, {4, 1, 6});
    job.missing = 1;
    for (const char* change : {"micro_batches=8", "schedule:gpipe", "stages:even"}) {
        EXPECT_THAT(told(*forecastable(analyse(runOf(job))), change).why_not, HasSubstr("not known")) << change;
        EXPECT_THAT(told(*forecastable(loadAndAnalyse(sample("FourWorkers"))), change).why_not,
                    HasSubstr("The job has no pipeline."))
            << change;
    }
}

/// That a forecast is within 5 % of the truth, and the truth in its range.
void expectNear(const Forecast& forecast, DurationNs true_ns, const std::string& what) {
    EXPECT_NEAR(static_cast<double>(forecast.forecast_ns) / static_cast<double>(true_ns), 1, 0.05) << what;
    EXPECT_LE(forecast.low_ns, true_ns) << what;
    EXPECT_GE(forecast.high_ns, true_ns) << what;
}

/// A run of the event-driven machine with its truth.
struct MachineJob {
    tracegen::machine::Config config;
    tracegen::machine::TrueRun truth;
};

MachineJob machineJob(const std::string& preset, int micro_batches) {
    MachineJob job;
    job.config = tracegen::machine::jobConfig(preset, 5);
    job.config.steps = 4;
    job.config.job->micro_batches = micro_batches;
    job.truth = tracegen::machine::simulate(job.config);
    return job;
}

TEST(PipelineChanges, OfMicroBatchesOnTheMachineAreWithinFivePercentOfTheMachineWithSoMany) {
    for (const char* preset : {"1f1b", "gpipe", "zero-bubble", "interleaved"}) {
        const int today = tracegen::machine::jobConfig(preset, 5).job->micro_batches;
        const MachineJob before = machineJob(preset, today);
        const MachineJob after = machineJob(preset, 2 * today);
        const auto run = forecastable(accuracy::analyseSimulated(before.truth));
        const Forecast forecast = forecastFor(*run, "micro_batches=" + std::to_string(2 * today));
        expectNear(forecast, after.truth.meanStep(), preset);
    }
}

TEST(PipelineChanges, UseTheStageTimesThatOtherChangesLeave) {
    const MachineJob before = machineJob("1f1b", 8);
    MachineJob after;
    after.config = before.config;
    after.config.job->micro_batches = 16;
    after.config.job->layer_ns /= 2;
    after.truth = tracegen::machine::simulate(after.config);
    const auto run = forecastable(accuracy::analyseSimulated(before.truth));
    expectNear(forecastFor(*run, "class:compute:x0.5; micro_batches=16"), after.truth.meanStep(), "half the kernels");
}

TEST(PipelineChanges, ToInterleavedStagesGiveWhatWasMeasuredWithThem) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    std::map<std::string, std::shared_ptr<const WhatIfRun>> runs;
    for (const char* name : {"gpu8_layer64_gbs16_pp8", "gpu8_layer64_gbs16_pp8_vpp2"}) {
        const TempFolder folder;
        const ProcessResult written =
            runProcess({"python3", (sourceFolder() / "tests/data/pipeline_traces.py").string(),
                        (realTraces() / "unseen_1/pipeline_schedules").string(), name, folder.path().string(),
                        "--ranges", "actions"});
        if (written.code == kNoProgram) {
            GTEST_SKIP() << "skipped: there is no python3 here";
        }
        ASSERT_EQ(written.code, 0) << written.err;
        runs[name] = forecastable(loadAndAnalyse(folder.path()));
    }
    const WhatIfRun& one = *runs.at("gpu8_layer64_gbs16_pp8");
    const WhatIfRun& two = *runs.at("gpu8_layer64_gbs16_pp8_vpp2");
    const Forecast there = forecastFor(one, "schedule:interleaved");
    const Forecast back = forecastFor(two, "schedule:1f1b");
    expectNear(there, two.facts().pricedStep(), "1f1b to interleaved");
    expectNear(back, one.facts().pricedStep(), "interleaved to 1f1b");
}

}  // namespace
}  // namespace rankscope::test
