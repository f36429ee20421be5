// SPDX-License-Identifier: GPL-3.0-or-later
// The bubble of pipelines, held to what the simulator knows of it.

#include "tests/accuracy/simulated_run.h"
#include "tests/support/testing.h"
#include "tests/tracegen/machine/job_faults.h"
#include "tests/tracegen/machine/job_truth.h"

namespace rankscope::accuracy {
namespace {

namespace machine = tracegen::machine;

double trueBubble(const machine::TrueRun& run) {
    DurationNs bubble_ns = 0;
    DurationNs pipeline_ns = 0;
    for (const auto& rank : machine::jobTruthOf(run)) {
        for (const machine::JobStepTruth& step : rank) {
            bubble_ns += step.bubble_ns;
            pipeline_ns += step.pipeline_ns;
        }
    }
    return static_cast<double>(bubble_ns) / static_cast<double>(pipeline_ns);
}

class BubbleOfAJob : public testing::TestWithParam<const char*> {};

TEST_P(BubbleOfAJob, IsTheSimulatorsToAThousandthOfIt) {
    const machine::TrueRun run = machine::simulate(machine::jobConfig(GetParam(), 1));
    const Result<AnalysedRun> analysed = analyseRun(loadFiles(machine::writeFiles(run, {})), {}, {}, {});
    ASSERT_TRUE(analysed.ok());
    PipelineTimes all;
    for (const Pipeline& pipeline : analysed.value().facts.pipeline.pipelines) {
        all += pipeline.times();
    }
    ASSERT_GT(all.window(), 0);
    const double share = static_cast<double>(all.bubbleTotal()) / static_cast<double>(all.window());
    const double truth = trueBubble(run);
    EXPECT_NEAR(share, truth, truth / 1000);
}

// Experts in a grid reduce gradients beside their last passes: that is work, and no bubble.
INSTANTIATE_TEST_SUITE_P(Presets, BubbleOfAJob,
                         testing::Values("1f1b", "interleaved-torch", "dualpipe-v-torch", "grid-fsdp2",
                                         "grid-experts"));

// The norm of the gradients is summed over all ranks: that a stage waits there for the others is no work of its.
TEST(BubbleOfAWholePipeline, IsTheSameWhereRanksOfOtherGroupsWereNotOpened) {
    const machine::TrueRun run = machine::simulate(machine::jobConfig("grid", 1));
    const std::vector<machine::TraceFile> files = machine::writeFiles(run, {});
    const auto bubble_of = [](const std::vector<machine::TraceFile>& opened) {
        const Result<AnalysedRun> analysed = analyseRun(loadFiles(opened), {}, {}, {});
        EXPECT_TRUE(analysed.ok());
        for (const Pipeline& pipeline : analysed.value().facts.pipeline.pipelines) {
            if (pipeline.places.size() == 2 && analysed.value().run->ranks[pipeline.ranks[0]]->rank == RankNumber(0)) {
                return pipeline;
            }
        }
        ADD_FAILURE() << "no pipeline of rank 0";
        return Pipeline();
    };
    const Pipeline all = bubble_of(files);
    const Pipeline some = bubble_of({files.at(0), files.at(4)});
    EXPECT_NEAR(some.bubbleShare(), all.bubbleShare(), 0.02 * all.bubbleShare());
    EXPECT_NEAR(static_cast<double>(some.times().bubbleOf(BubbleCause::Drain)),
                static_cast<double>(all.times().bubbleOf(BubbleCause::Drain)),
                0.02 * static_cast<double>(all.times().bubbleTotal()));
}

}  // namespace
}  // namespace rankscope::accuracy
