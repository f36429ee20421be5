// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs that serve: what the simulator ran in each iteration is what the program says of it.

#include "tests/accuracy/simulated_run.h"
#include "tests/support/testing.h"
#include "tests/tracegen/machine/job_faults.h"
#include "tests/tracegen/machine/job_truth.h"

namespace rankscope::accuracy {
namespace {

using testing::HasSubstr;
using testing::Not;
using namespace tracegen::machine;

IterationKind kindOf(Served served) {
    return served == Served::Prefill ? IterationKind::Prefill : IterationKind::Decode;
}

void expectKinds(const ServingSpec& serving, const std::vector<RunStep>& steps) {
    for (const RunStep& step : steps) {
        EXPECT_EQ(step.kind, kindOf(servedIn(serving, static_cast<int>(step.index)))) << step.index;
        EXPECT_EQ(step.other_kind, servedIn(serving, static_cast<int>(step.index)) == Served::Prefill) << step.index;
    }
}

void expectTruth(const Config& config) {
    const TrueRun truth = simulate(config);
    const ServingSpec& serving = *config.job->serving;
    const AnalysedRun run = analyseSimulated(truth);
    ASSERT_EQ(run.facts.steps.size(), static_cast<std::size_t>(config.steps) - 1) << "all but the last";
    expectKinds(serving, run.facts.steps);
    const IterationSums* const decode = run.facts.iterations.of(IterationKind::Decode);
    const IterationSums* const prefill = run.facts.iterations.of(IterationKind::Prefill);
    ASSERT_NE(decode, nullptr);
    ASSERT_NE(prefill, nullptr);
    EXPECT_EQ(decode->new_tokens, static_cast<std::int64_t>(decode->complete) * serving.requests);
    EXPECT_EQ(prefill->prompt_tokens, static_cast<std::int64_t>(prefill->complete) * serving.prompt_tokens);
    // Graphs: one launch a decode, with all of its layers; the rest of it is launched by itself.
    EXPECT_EQ(decode->graph_launches, serving.graphs ? decode->rank_steps : 0);
    EXPECT_EQ(prefill->graph_launches, 0U);
    const auto layers = static_cast<std::size_t>(config.job->layers);
    EXPECT_EQ(decode->graph_kernels, serving.graphs ? decode->rank_steps * layers * 11 : 0);
    EXPECT_EQ(run.facts.parallelism.grid.text(), "tensor 4");
}

TEST(Serving, IterationsOfVllmAreWhatTheyWere) {
    expectTruth(jobConfig("serving", 3));
}

TEST(Serving, IterationsOfSglangAreWhatTheyWere) {
    expectTruth(jobConfig("serving-sglang", 4));
}

TEST(Serving, IterationsWithoutGraphsAreWhatTheyWere) {
    Config config = jobConfig("serving", 5);
    config.job->serving->graphs = false;
    expectTruth(config);
}

TEST(Serving, TheTimeOfAKindIsTheSimulators) {
    const TrueRun truth = simulate(jobConfig("serving", 6));
    const AnalysedRun run = analyseSimulated(truth);
    TimeNs begin = truth.window_start_ns;
    DurationNs decodes_ns = 0;
    for (std::size_t step = 0; step + 1 < truth.step_ends.size(); ++step) {
        const bool decodes = servedIn(*truth.config.job->serving, static_cast<int>(step)) == Served::Decode;
        decodes_ns += decodes ? truth.step_ends[step] - begin : 0;
        begin = truth.step_ends[step];
    }
    const IterationSums* const decode = run.facts.iterations.of(IterationKind::Decode);
    ASSERT_NE(decode, nullptr);
    EXPECT_NEAR(static_cast<double>(decode->total_ns), static_cast<double>(decodes_ns),
                0.02 * static_cast<double>(decodes_ns));
}

TEST(Serving, WithoutRangesAndDistinctiveKernelsThereAreNoIterations) {
    Config config = jobConfig("serving", 7);
    config.job->serving->ranges = false;
    const AnalysedRun run = analyseSimulated(simulate(config));
    EXPECT_FALSE(run.facts.iterations.any()) << "flash_fwd_splitkv reads prompts, and decodes";
}

TEST(Serving, KernelsThatOnlyDecodeShowAWindowThatDecodes) {
    Config config = jobConfig("serving", 8);
    config.job->serving->ranges = false;
    config.job->serving->paged_kernels = true;
    config.job->serving->decodes = 1'000;
    config.warmup_steps = 2;
    const AnalysedRun run = analyseSimulated(simulate(config));
    ASSERT_TRUE(run.facts.iterations.any());
    // The first iteration reads prompts by a kernel that may decode too.
    EXPECT_FALSE(run.facts.steps.front().kind) << "prompts and decodes one after the other are no batch of both";
    EXPECT_FALSE(run.facts.iterations.notes.empty());
}

TEST(Serving, APriceOfDecodesIsBasedOnDecodesAlone) {
    const AnalysedRun run = analyseSimulated(simulate(jobConfig("serving", 7)));
    std::size_t shown = 0;
    for (const Finding& finding : run.diagnosis.findings) {
        for (const Evidence& evidence : finding.evidence) {
            const auto step = std::ranges::find(run.facts.steps, evidence.step, &RunStep::index);
            ASSERT_NE(step, run.facts.steps.end());
            EXPECT_FALSE(step->other_kind) << findingName(finding.id) << ": " << evidence.note;
            ++shown;
        }
    }
    EXPECT_GT(shown, 0U);
}

TEST(Serving, AdviceIsTheServersAndNotATrainers) {
    Config config = jobConfig("serving", 9);
    config.job->serving->graphs = false;
    config.job->layer_ns = 40'000;  // kernels shorter than their launches
    const AnalysedRun run = analyseSimulated(simulate(config));
    std::string advice;
    for (const Finding& finding : run.diagnosis.findings) {
        for (const Remedy& remedy : finding.remedies) {
            advice += std::string(findingName(finding.id)) + ": " + remedy.action + "\n";
        }
    }
    EXPECT_THAT(advice, HasSubstr("launch-bound: Enable CUDA graphs: no --enforce-eager"));
    for (const char* word :
         {"torch.compile(model)", "optimizer", "gradient", "training loop", "losses", "DataLoader"}) {
        EXPECT_THAT(advice, Not(HasSubstr(word)));
    }
}

}  // namespace
}  // namespace rankscope::accuracy
