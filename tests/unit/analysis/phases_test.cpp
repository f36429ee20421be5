// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/phases.h"

#include "core/analysis/stages.h"
#include "core/analysis/steps/phase_marks.h"
#include "core/analysis/steps/phase_statistics.h"
#include "tests/support/fact_checks.h"
#include "tests/support/loading.h"
#include "tests/support/model_builder.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"
#include "tests/tracegen/config_of.h"
#include "tests/tracegen/write_run.h"

namespace rankscope::test {
namespace {

struct Measured {
    AnalysedRank rank;
    RankPhases phases;

    [[nodiscard]] const PhaseTime& of(Phase phase, std::size_t step = 0) const { return phases.steps[step][phase]; }
};

Measured measure(std::shared_ptr<const RankTrace> trace) {
    Measured out{analyseRank(std::move(trace), NameRules::builtIn()), {}};
    out.phases = measurePhases(out.rank.work, factsAlone(out.rank.facts));
    return out;
}

/// One step of DDP: forward 10 to 40, backward on its own thread 50 to 80, optimizer 85 to 95 us; each launches a
/// kernel that runs later.
struct OneStep {
    ModelBuilder builder;
    std::uint32_t main = builder.thread("main");
    std::uint32_t autograd = builder.thread("autograd");
    std::uint32_t stream = builder.stream("7");

    OneStep() {
        builder.step(main, 1, 0, 100);
        builder.slice(main, Category::UserAnnotation, "DistributedDataParallel.forward", 10, 30);
        builder.kernel(main, 20, 2, stream, "forward_gemm", 30, 40);
        builder.op(autograd, "autograd::engine::evaluate_function: AddmmBackward0", 50, 10);
        builder.kernel(autograd, 52, 2, stream, "backward_gemm", 70, 30);
        builder.op(autograd, "autograd::engine::evaluate_function: MulBackward0", 65, 15);
        builder.kernel(autograd, 66, 2, stream, "backward_mul", 105, 10);
        builder.slice(main, Category::UserAnnotation, "Optimizer.step#SGD.step", 85, 10);
        builder.kernel(main, 86, 2, stream, "adam", 120, 20);
    }
};

TEST(Phases, DeviceWorkBelongsToThePhaseThatLaunchedItEvenIfItRunsLate) {
    const Measured step = measure(OneStep().builder.build());
    EXPECT_EQ(step.of(Phase::Forward), (PhaseTime{30'000, 40'000, 40'000}));
    EXPECT_EQ(step.of(Phase::Backward), (PhaseTime{30'000, 40'000, 45'000}));
    EXPECT_EQ(step.of(Phase::Optimizer), (PhaseTime{10'000, 20'000, 20'000}));
    EXPECT_EQ(step.of(Phase::Other), (PhaseTime{30'000, 0, 0}));
}

TEST(Phases, AutogradsPausesBetweenItsNodesAreBackwardUntilTheMainThreadGoesOn) {
    OneStep step;
    step.builder.op(step.main, "aten::add", 61, 2);
    EXPECT_EQ(measure(step.builder.build()).of(Phase::Backward).host_ns, 25'000);
}

TEST(Phases, ACollectiveIsCommunicationWhereverItIsLaunched) {
    OneStep step;
    const auto nccl = step.builder.stream("20");
    step.builder.op(step.autograd, "c10d::allreduce_", 72, 6);
    step.builder.kernel(step.autograd, 74, 2, nccl, "ncclDevKernel_AllReduce", 90, 50);
    const Measured measured = measure(step.builder.build());
    EXPECT_EQ(measured.of(Phase::Communication), (PhaseTime{6'000, 50'000, 50'000}));
    EXPECT_EQ(measured.of(Phase::Backward), (PhaseTime{30'000, 40'000, 45'000}));
}

TEST(Phases, WhatNoRangeTellsIsNotTold) {
    auto [builder, main, stream] = threadAndStream("main");
    builder.step(main, 1, 0, 100);
    builder.op(main, "aten::mm", 10, 20);
    builder.kernel(main, 12, 2, stream, "gemm", 30, 40);
    const Measured measured = measure(builder.build());
    for (const Phase phase : {Phase::Forward, Phase::Backward, Phase::Optimizer, Phase::Data, Phase::Communication}) {
        EXPECT_FALSE(measured.phases.told[phase]) << phaseName(phase);
        EXPECT_FALSE(phaseUnknownReason(phase).empty());
        RankFacts facts = factsAlone(measured.rank.facts);
        facts.phases = measured.phases;
        EXPECT_FALSE(phaseStatistics(facts, phase).has_value());
    }
    EXPECT_EQ(measured.of(Phase::Other), (PhaseTime{100'000, 40'000, 40'000}));
}

TEST(Phases, AForwardThatTheBackwardRunsAgainIsBackward) {
    OneStep step;
    step.builder.slice(step.autograd, Category::UserAnnotation, "DistributedDataParallel.forward", 66, 10);
    EXPECT_EQ(measure(step.builder.build()).of(Phase::Forward).host_ns, 30'000);
}

/// Two micro-batches of a model whose two layers FSDP2 divides, and what it names of them; the forwards compute
/// between.
void addDividedForwards(ModelBuilder& builder, std::uint32_t main, std::uint32_t autograd) {
    const auto range = [&](std::uint32_t thread, const std::string& name, double start_us, double length_us) {
        builder.slice(thread, Category::UserAnnotation, "FSDP::" + name, start_us, length_us);
    };
    for (const double at_us : {10.0, 110.0}) {
        range(main, "root_pre_forward", at_us, 2);
        range(main, "pre_forward (layers.0)", at_us + 3, 2);
        range(main, "post_forward (layers.0)", at_us + 15, 1);
        range(main, "pre_forward (layers.1)", at_us + 17, 2);
        range(main, "post_forward (layers.1)", at_us + 29, 1);
        range(autograd, "pre_backward (layers.1)", at_us + 40, 10);
        builder.op(autograd, "autograd::engine::evaluate_function: MmBackward0", at_us + 50, 20);
        range(autograd, "root_post_backward_callback", at_us + 70, 5);
    }
}

TEST(Phases, AForwardOfFsdp2GoesFromItsFirstHookToItsLast) {
    ModelBuilder builder;
    const auto main = builder.thread("main");
    const auto autograd = builder.thread("autograd");
    const auto stream = builder.stream("7");
    builder.step(main, 1, 0, 250);
    addDividedForwards(builder, main, autograd);
    builder.kernel(main, 20, 2, stream, "gemm", 30, 10);
    builder.kernel(main, 45, 2, stream, "loss", 46, 10);
    const Measured measured = measure(builder.build());
    EXPECT_EQ(measured.of(Phase::Forward), (PhaseTime{60'000, 10'000, 10'000})) << "30 us of each micro-batch";
    EXPECT_EQ(measured.of(Phase::Backward).host_ns, 70'000);
    EXPECT_EQ(measured.of(Phase::Other).device_ns, 10'000);
}

TEST(Phases, UnitsOfFsdp2MakeOneForwardEachTimeTheyRepeatWithoutARoot) {
    ModelBuilder builder;
    const auto main = builder.thread("main");
    builder.step(main, 1, 0, 100);
    for (const double at_us : {10.0, 50.0}) {
        builder.slice(main, Category::UserAnnotation, "FSDP::pre_forward (model)", at_us, 1);
        builder.slice(main, Category::UserAnnotation, "FSDP::pre_forward (layers.0)", at_us + 2, 1);
        builder.slice(main, Category::UserAnnotation, "FSDP::post_forward (layers.0)", at_us + 8, 1);
        builder.slice(main, Category::UserAnnotation, "FSDP::post_forward (model)", at_us + 14, 1);
    }
    builder.slice(main, Category::UserAnnotation, "FSDP::pre_forward (model)", 90, 1);
    EXPECT_EQ(measure(builder.build()).of(Phase::Forward).host_ns, 31'000) << "the last one is not over";
}

TEST(Phases, AnOptimizerThatRunsTheModelItselfKeepsOnlyWhatIsItsOwn) {
    ModelBuilder builder;
    const auto main = builder.thread("main");
    builder.step(main, 1, 0, 100);
    builder.slice(main, Category::UserAnnotation, "Optimizer.step#LBFGS.step", 0, 90);
    builder.slice(main, Category::UserAnnotation, "DistributedDataParallel.forward", 10, 30);
    const Measured measured = measure(builder.build());
    EXPECT_EQ(measured.of(Phase::Forward).host_ns, 30'000);
    EXPECT_EQ(measured.of(Phase::Optimizer).host_ns, 60'000);
}

TEST(Phases, AModuleOfAPythonStackIsForwardUnlessTheDataLoaderRunsIt) {
    ModelBuilder builder;
    const auto main = builder.thread("main");
    builder.step(main, 1, 0, 100);
    builder.slice(main, Category::UserAnnotation, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 0, 20);
    builder.python(main, "nn.Module: Resize_0", 5, 10);
    builder.python(main, "nn.Module: Net_0", 30, 40);
    builder.python(main, "nn.Module: Conv2d_0", 35, 10);
    const Measured measured = measure(builder.build());
    EXPECT_EQ(measured.of(Phase::Data).host_ns, 20'000);
    EXPECT_EQ(measured.of(Phase::Forward).host_ns, 40'000);
}

TEST(PhaseNames, AreReadByTheirWords) {
    for (const char* name : {"forward", "## forward ##", "FullyShardedDataParallel.forward", "fwd_3", "Forward pass",
                             "## forward:pos_w ##"}) {
        EXPECT_EQ(phaseOfRange(name), Phase::Forward) << name;
    }
    for (const char* name : {"## backward ##", "loss.backward", "bwd"}) {
        EXPECT_EQ(phaseOfRange(name), Phase::Backward) << name;
    }
    for (const char* name : {"optimizer", "## zero_grad ##", "optimizer_step"}) {
        EXPECT_EQ(phaseOfRange(name), Phase::Optimizer) << name;
    }
    for (const char* name : {"## wait_for_batch ##", "data_loading", "load_batch"}) {
        EXPECT_EQ(phaseOfRange(name), Phase::Data) << name;
    }
    for (const char* name : {"aten::threshold_backward", "## alltoall_bwd_single ##", "data_parallel", "forwarder", "",
                             "step_3", "FSDP::pre_forward", "##"}) {
        EXPECT_EQ(phaseOfRange(name), std::nullopt) << name;
    }
}

TEST(PhaseNames, OfMegatronDeepSpeedAndTorchtitanAreKnown) {
    for (const char* name : {"forward-compute", "forward_step", "train_forward_step", "fwd_microstep", "Forward 3",
                             "loss", "loss_fn", "DeepSpeedEngine.forward", "forward_backward"}) {
        EXPECT_EQ(phaseOfRange(name), Phase::Forward) << name;
    }
    for (const char* name : {"backward-compute", "backward_step", "bwd_inner_microstep", "Backward 3", "wgrad",
                             "wgrad_compute", "weight_gradient", "DeepSpeedEngine.backward"}) {
        EXPECT_EQ(phaseOfRange(name), Phase::Backward) << name;
    }
    for (const char* name : {"optimizer-inner-step", "DeepSpeedZeroOptimizer.step", "step_microstep"}) {
        EXPECT_EQ(phaseOfRange(name), Phase::Optimizer) << name;
    }
    EXPECT_EQ(phaseOfRange("batch-generator"), Phase::Data);
    for (const char* name :
         {"forward-recv", "backward-send", "forward-send-backward-recv", "backward-params-all-reduce",
          "bwd_allreduce_microstep", "step", "loss scale of rank 3", "move forward_slash", "weighted_sum"}) {
        EXPECT_EQ(phaseOfRange(name), std::nullopt) << name;
    }
}

TEST(PhaseNames, OfPipelineSchedulesAreReadByTheirLetter) {
    for (const char* name : {"ATTN(F)", "(F)", "MLP(F) chunk 3", "PP:0F12", "3F0"}) {
        EXPECT_EQ(phaseOfSchedule(name), Phase::Forward) << name;
    }
    for (const char* name : {"ATTN(B)", "MLP(W)", "(W)(B)", "PP:1B0", "PP:2I3", "PP:2W3"}) {
        EXPECT_EQ(phaseOfSchedule(name), Phase::Backward) << name;
    }
    for (const char* name : {"", "(F", "F", "F)", "(f)", "(I)", "(FB)", "ATTN(F) MLP(B)", "ns::op(F)", "PP:0SEND_F1",
                             "PP:", "1F1B", "PP:0UNSHARD", "F3", "0F", "12"}) {
        EXPECT_EQ(phaseOfSchedule(name), std::nullopt) << name;
    }
}

TEST(Phases, LettersOfASchedulesRangesTellThemAndThoseOfOperatorsDoNot) {
    ModelBuilder builder;
    const auto main = builder.thread("main");
    builder.step(main, 1, 0, 100);
    builder.slice(main, Category::UserAnnotation, "MLP(F)", 0, 10);
    builder.slice(main, Category::UserAnnotation, "MLP(B)", 20, 20);
    builder.slice(main, Category::UserAnnotation, "MLP(W)", 40, 20);
    builder.op(main, "mine(F)", 70, 10);
    const Measured measured = measure(builder.build());
    EXPECT_EQ(measured.of(Phase::Forward).host_ns, 10'000);
    EXPECT_EQ(measured.of(Phase::Backward).host_ns, 40'000) << "the gradient of the weights belongs to the backward";
}

class GeneratedRun : public testing::TestWithParam<std::pair<tracegen::Vendor, tracegen::Dialect>> {};

TEST_P(GeneratedRun, TellsAllPhasesOfEveryStep) {
    tracegen::Config config = tracegen::configOf(2, 3);
    config.vendor = GetParam().first;
    config.dialect = GetParam().second;
    const auto trace = loadText(tracegen::kinetoText(tracegen::simulate(config), 1));
    const Measured measured = measure(trace);
    ASSERT_EQ(measured.phases.steps.size(), 3U);
    for (std::size_t s = 0; s < 3; ++s) {
        const MeasuredStep& step = measured.rank.facts.steps[s];
        for (const Phase phase : {Phase::Forward, Phase::Backward, Phase::Optimizer, Phase::Communication}) {
            EXPECT_TRUE(measured.phases.told[phase]) << phaseName(phase);
            EXPECT_GT(measured.of(phase, s).host_ns, 0) << phaseName(phase);
            EXPECT_GT(measured.of(phase, s).device_ns, 0) << phaseName(phase);
        }
        EXPECT_GT(measured.of(Phase::Data, s).host_ns, 0);
        EXPECT_EQ(measured.of(Phase::Communication, s).device_ns, step.partition->comm_ns);
        // The backward computes about twice what the forward does, and little is launched outside all of them.
        EXPECT_GT(measured.of(Phase::Backward, s).device_ns, measured.of(Phase::Forward, s).device_ns * 3 / 2);
        EXPECT_LT(measured.of(Phase::Other, s).device_ns, step.span.length() / 20);
    }
}

INSTANTIATE_TEST_SUITE_P(Dialects, GeneratedRun,
                         testing::Values(std::pair(tracegen::Vendor::Cuda, tracegen::Dialect::Modern),
                                         std::pair(tracegen::Vendor::Rocm, tracegen::Dialect::Modern),
                                         std::pair(tracegen::Vendor::Cuda, tracegen::Dialect::Old)));

/// Every piece of device work that a step launched is in exactly one phase, and none is outside of the step.
void checkPhases(const Measured& measured) {
    for (std::size_t s = 0; s < measured.phases.steps.size(); ++s) {
        const MeasuredStep& step = measured.rank.facts.steps[s];
        const DurationNs busy_ns = measured.rank.work.device.busy.lengthIn(step.span);
        DurationNs sum_ns = 0;
        DurationNs host_ns = 0;
        for (std::size_t p = 0; p < kPhaseCount; ++p) {
            const PhaseTime& time = measured.phases.steps[s].values[p];
            EXPECT_LE(time.device_ns, busy_ns);
            EXPECT_LE(time.device_ns, time.device_span_ns);
            EXPECT_LE(time.device_span_ns, step.span.length());
            EXPECT_LE(time.host_ns, step.host.length());
            sum_ns += time.device_ns;
            host_ns += time.host_ns;
        }
        EXPECT_GE(host_ns, step.host.length());
        if (measured.rank.facts.step_source != StepSource::WholeWindow) {
            // Work launched in the next step may already run in this one; all else is some phase's.
            EXPECT_GE(sum_ns, busy_ns - step.span.length() / 50) << "step " << step.index;
        }
    }
}

TEST(AllPhases, FillTheDeviceWorkOfEveryStepAndNoMore) {
    std::size_t told = 0;
    for (const auto& path : allTraceFiles()) {
        SCOPED_TRACE(path.string());
        for (const auto& trace : loadAllRanks(path.string(), 2)) {
            const Measured measured = measure(trace);
            checkPhases(measured);
            told += measured.phases.told[Phase::Backward] ? 1U : 0U;
        }
    }
    EXPECT_GT(told, 15U);
}

}  // namespace
}  // namespace rankscope::test
