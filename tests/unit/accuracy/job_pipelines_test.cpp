// SPDX-License-Identifier: GPL-3.0-or-later
// Pipelines of simulated jobs: their schedule, their bubble and what theory says, against the simulator's truth.

#include "tests/accuracy/simulated_run.h"
#include "tests/support/testing.h"
#include "tests/tracegen/machine/job_faults.h"
#include "tests/tracegen/machine/job_truth.h"

namespace rankscope::accuracy {
namespace {

namespace machine = tracegen::machine;

struct SimulatedPipeline {
    machine::TrueRun truth;
    AnalysedRun run;
};

/// Without the ranges that say which passes they are, if `bare`.
SimulatedPipeline pipelineJob(std::string_view preset, bool bare = false) {
    machine::Config config = machine::jobConfig(preset, 2);
    config.steps = 3;
    machine::TrueRun truth = machine::simulate(config);
    std::vector<machine::TraceFile> files = machine::writeFiles(truth, {});
    for (machine::TraceFile& file : files) {
        for (std::size_t at = 0; bare && (at = file.text.find("\"PP:", at)) != std::string::npos; ++at) {
            file.text.replace(at + 1, 3, "xx-");
        }
    }
    return {std::move(truth), analyseAlone(loadFiles(files))};
}

/// Of each rank of each pipeline, over its counted steps.
void expectTrueBubble(const SimulatedPipeline& job, std::string_view preset) {
    const auto truth = machine::jobTruthOf(job.truth);
    ASSERT_FALSE(job.run.facts.pipeline.pipelines.empty()) << preset;
    for (const Pipeline& pipeline : job.run.facts.pipeline.pipelines) {
        for (std::size_t r = 0; r < pipeline.ranks.size(); ++r) {
            double true_ns = 0;
            for (const std::size_t step : pipeline.counted) {
                true_ns += static_cast<double>(truth[pipeline.ranks[r]].at(pipeline.steps[step].step).bubble_ns);
            }
            const auto found_ns = static_cast<double>(pipeline.timesOf(r).bubbleTotal());
            EXPECT_NEAR(found_ns / true_ns, 1, 0.01) << preset << ", rank " << pipeline.ranks[r];
        }
    }
}

TEST(DividedJobs, HaveTheBubbleOfEveryRankWithinAPercentOfTheTruth) {
    for (const std::string_view preset :
         {"gpipe", "1f1b", "1f1b-batched", "interleaved", "gpipe-torch", "interleaved-torch", "grid", "grid-fsdp2"}) {
        expectTrueBubble(pipelineJob(preset), preset);
    }
}

struct SplitSchedule {
    std::string_view preset;
    Schedule schedule;
    bool folded;
};

const std::vector<SplitSchedule>& splitSchedules() {
    static const std::vector<SplitSchedule> all = {{"zero-bubble", Schedule::ZeroBubble, false},
                                                   {"zero-bubble-torch", Schedule::ZeroBubble, false},
                                                   {"zero-bubble-v-torch", Schedule::ZeroBubble, true},
                                                   {"dualpipe-v-torch", Schedule::DualPipe, true}};
    return all;
}

TEST(DividedJobs, ThatSplitTheirBackwardAreRecognisedWithAndWithoutRanges) {
    for (const SplitSchedule& expected : splitSchedules()) {
        for (const bool bare : {false, true}) {
            SCOPED_TRACE(std::string(expected.preset) + (bare ? " without ranges" : ""));
            const SimulatedPipeline job = pipelineJob(expected.preset, bare);
            ASSERT_EQ(job.run.facts.pipeline.pipelines.size(), 1U);
            const Pipeline& pipeline = job.run.facts.pipeline.pipelines.front();
            if (bare && expected.folded) {
                EXPECT_FALSE(pipeline.schedule) << "nothing stands between the two forwards of the last rank";
                EXPECT_FALSE(pipeline.notes.empty());
                continue;
            }
            EXPECT_EQ(pipeline.schedule, expected.schedule);
            EXPECT_EQ(pipeline.folded, expected.folded);
            EXPECT_EQ(pipeline.micro_batches, 8);
            EXPECT_EQ(pipeline.stages_per_rank, expected.folded ? 2 : 1);
            expectTrueBubble(job, expected.preset);
        }
    }
}

TEST(DividedJobs, ThatRunZeroBubbleHaveWhatTheirOrderLeavesAsTheory) {
    for (const std::string_view preset :
         {"zero-bubble", "zero-bubble-torch", "zero-bubble-v-torch", "dualpipe-v-torch"}) {
        const SimulatedPipeline job = pipelineJob(preset);
        const Pipeline& pipeline = job.run.facts.pipeline.pipelines.front();
        ASSERT_TRUE(pipeline.theory) << preset;
        EXPECT_NEAR(*pipeline.theory, machine::bubbleOfTheory(*job.truth.config.job), 0.01) << preset;
    }
}

}  // namespace
}  // namespace rankscope::accuracy
