// SPDX-License-Identifier: GPL-3.0-or-later
//
// What held the memory at its peak, told by when blocks were allocated and freed.

#include "core/analysis/find_facts.h"
#include "core/analysis/steps/phase_row.h"
#include "tests/support/analysed.h"
#include "tests/support/fact_checks.h"
#include "tests/support/model_builder.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

constexpr std::int64_t kParameters = 1000;

/// Steps of 1 ms: forward from 100 to 400 us, backward from 500 to 800, optimizer from 900 to 950.
struct Job {
    ModelBuilder builder;
    std::uint32_t main = builder.thread("main");
    std::uint32_t stream = builder.stream("7");

    explicit Job(int steps) {
        for (int s = 0; s < steps; ++s) {
            const double at = 1000.0 * s;
            builder.step(main, s, at, 1000);
            builder.slice(main, Category::UserAnnotation, "forward", at + 100, 300);
            builder.slice(main, Category::UserAnnotation, "backward", at + 500, 300);
            builder.op(main, "Optimizer.step#AdamW.step", at + 900, 50);
            builder.op(main, "aten::mm", at + 150, 40);
            builder.kernel(main, at + 160, 5, stream, "gemm", at + 170, 100);
        }
    }
    /// Time in a step.
    static double in(int step, double us) { return 1000.0 * step + us; }
};

MemoryAtPeak peakOf(Job& job) {
    const AnalysedRun run = analyse(runOf({job.builder.build()}));
    EXPECT_EQ(run.facts.memory.ranks.size(), 1U);
    EXPECT_EQ(run.facts.memory.ranks.at(0).size(), 1U);
    MemoryAtPeak peak = run.facts.memory.ranks.at(0).at(0);
    EXPECT_EQ(peak.parts.total(), peak.allocated);
    return peak;
}

/// One step of training: an activation, a temporary of the forward, one of the backward, and a gradient that
/// zero_grad() frees in the next step.
void addStep(Job& job, int step, bool with_gradient = true) {
    const auto address = [step](std::uint64_t k) { return static_cast<std::uint64_t>(step + 1) * 100 + k; };
    job.builder.block(Job::in(step, 150), address(1), 300);
    job.builder.block(Job::in(step, 160), address(2), 20);
    job.builder.block(Job::in(step, 170), address(2), -20);
    job.builder.block(Job::in(step, 550), address(3), 40);
    if (with_gradient) {
        job.builder.block(Job::in(step, 600), address(4), 100);
    }
    job.builder.block(Job::in(step, 650), address(3), -40);
    job.builder.block(Job::in(step, 700), address(1), -300);
}

TEST(MemoryParts, AreToldByThePhasesInWhichBlocksLive) {
    Job job(2);
    job.builder.block(10, 1, 8, kParameters);  // a batch, gone before the forward
    job.builder.block(20, 1, -8);
    addStep(job, 0);
    job.builder.block(Job::in(0, 960), 104, -100);
    addStep(job, 1);
    const MemoryAtPeak peak = peakOf(job);
    EXPECT_EQ(peak.allocated, kParameters + 300 + 40 + 100);
    EXPECT_EQ(peak.parts[MemoryPart::Held], kParameters);
    EXPECT_EQ(peak.parts[MemoryPart::Activations], 300);
    EXPECT_EQ(peak.parts[MemoryPart::Gradients], 100);
    EXPECT_EQ(peak.parts[MemoryPart::Temporary], 40);
    EXPECT_EQ(peak.parts[MemoryPart::Unknown], 0);
    EXPECT_EQ(peak.phase, Phase::Backward);
    EXPECT_EQ(peak.step, RankStepPosition(0));
    EXPECT_TRUE(peak.has_addresses);
    EXPECT_EQ(peak.unseen, 0);
}

TEST(MemoryParts, CallWhatTheOptimizerKeepsItsStateAndTheRestParametersThen) {
    Job job(3);
    job.builder.block(10, 1, 8, kParameters);
    job.builder.block(20, 1, -8);
    addStep(job, 0);
    job.builder.block(Job::in(0, 910), 70, 200);
    job.builder.block(Job::in(0, 920), 71, 30);
    job.builder.block(Job::in(0, 930), 71, -30);
    job.builder.block(Job::in(1, 50), 104, -100);
    addStep(job, 1);
    job.builder.block(Job::in(2, 50), 204, -100);
    addStep(job, 2);
    const MemoryAtPeak peak = peakOf(job);
    EXPECT_EQ(peak.allocated, kParameters + 300 + 40 + 100 + 200);
    EXPECT_EQ(peak.parts[MemoryPart::OptimizerState], 200);
    EXPECT_EQ(peak.parts[MemoryPart::Gradients], 100);
    EXPECT_EQ(peak.parts[MemoryPart::Parameters], kParameters);
    EXPECT_EQ(peak.parts[MemoryPart::Held], 0);
}

TEST(MemoryParts, OfBlocksFromBeforeTheWindowFollowFromWhereTheyAreFreed) {
    Job job(1);
    job.builder.block(110, 50, 500, 800);
    job.builder.block(560, 41, -200);  // kept for a backward
    job.builder.block(910, 42, -100);  // freed by zero_grad or step
    job.builder.block(970, 43, -50);   // beside all phases
    const MemoryAtPeak peak = peakOf(job);
    EXPECT_EQ(peak.allocated, 1300);
    EXPECT_EQ(peak.parts[MemoryPart::Activations], 200 + 500);
    EXPECT_EQ(peak.parts[MemoryPart::Gradients], 100);
    EXPECT_EQ(peak.parts[MemoryPart::Unknown], 50);
    EXPECT_EQ(peak.parts[MemoryPart::Held], 450);
}

TEST(MemoryParts, CannotBeToldOfWhatIsMadeInAForwardAndKeptOverSteps) {
    Job job(3);
    job.builder.block(120, 5, 64, kParameters);
    addStep(job, 1);
    const MemoryAtPeak peak = peakOf(job);
    EXPECT_EQ(peak.parts[MemoryPart::Unknown], 64);
}

TEST(MemoryParts, CannotBeToldWithoutAddresses) {
    Job job(1);
    job.builder.memory(150, 700, 900);
    const MemoryAtPeak peak = peakOf(job);
    EXPECT_FALSE(peak.has_addresses);
    EXPECT_EQ(peak.parts[MemoryPart::Unknown], 700);
    EXPECT_EQ(peak.cache(), 200);
}

TEST(MemoryParts, SayHowMuchEventsThatAreMissingChanged) {
    Job job(1);
    job.builder.block(110, 5, 64, kParameters);
    job.builder.memory(120, kParameters + 500, kParameters + 600);
    job.builder.block(130, 6, 10);
    const AnalysedRun run = analyse(runOf({job.builder.build()}));
    // The event in the middle has no address, so nothing is told; but what it changed is not lost either.
    EXPECT_EQ(run.facts.memory.ranks[0][0].parts.total(), run.facts.memory.ranks[0][0].allocated);
}

TEST(MemoryParts, CannotBeToldWhereBlocksTakeMoreThanIsAllocated) {
    ModelBuilder builder;
    const auto main = builder.thread("main");
    builder.step(main, 1, 0, 1000);
    builder.block(110, 5, 64, 100);
    builder.block(120, 6, 64);
    auto trace = std::const_pointer_cast<RankTrace>(builder.build());
    trace->memory.bytes = {std::int64_t{1} << 50, std::int64_t{1} << 50};
    const AnalysedRun run = analyse(runOf({trace}));
    const MemoryAtPeak& peak = run.facts.memory.ranks.at(0).at(0);
    EXPECT_EQ(peak.parts[MemoryPart::Unknown], peak.allocated);
    EXPECT_TRUE(peak.operators.empty());
}

TEST(MemoryParts, NameTheOperatorThatAskedForABlock) {
    Job job(1);
    job.builder.op(job.main, "aten::empty", 155, 5);  // inside aten::mm
    job.builder.block(157, 5, 64, kParameters);
    const MemoryAtPeak peak = peakOf(job);
    ASSERT_EQ(peak.operators.size(), 1U);
    EXPECT_EQ(peak.operators[0].name, "aten::mm");
    EXPECT_EQ(peak.operators[0].bytes, 64);
    EXPECT_TRUE(peak.operators[0].slice.valid());
}

TEST(MemoryParts, OfARealRunAreWhatItsThreadsAskedFor) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    // Of the bytes that are allocated in the window and live at the peak, the main thread, which runs the forward,
    // asked for 1,333,781,504, and the thread of autograd for 1,199,112,192. 4,096,614,400 are there before the first
    // event and when the window ends: SGD whose zero_grad() keeps gradients.
    const AnalysedRun run = loadAndAnalyse(realTraces() / "hta/df_index_resolver");
    checkMemory(run.facts);
    const MemoryAtPeak& peak = run.facts.memory.ranks.at(0).at(0);
    EXPECT_EQ(peak.allocated, 6'629'508'096);
    EXPECT_EQ(peak.reserved, 12'782'141'440);
    EXPECT_EQ(peak.parts[MemoryPart::Activations], 1'333'781'504);
    EXPECT_EQ(peak.parts[MemoryPart::Temporary], 1'199'112'192);
    EXPECT_EQ(peak.parts[MemoryPart::Held], 4'096'614'400);
}

TEST(MemoryParts, AddUpInAllTraces) {
    for (const std::filesystem::path& file : allTraceFiles()) {
        SCOPED_TRACE(file.string());
        for (const AnalysedRun& run : loadAndAnalyseAll(file)) {
            checkMemory(run.facts);
        }
    }
}

TEST(MemoryCheckpoints, StandAtTheEndOfEachPhaseWithWhatChanged) {
    Job job(1);
    addStep(job, 0);
    const MemoryAtPeak peak = peakOf(job);
    ASSERT_EQ(peak.checkpoints.size(), 4U);
    EXPECT_FALSE(peak.checkpoints[0].phase);
    EXPECT_EQ(peak.checkpoints[0].allocated, 0);
    EXPECT_EQ(peak.checkpoints[1].phase, Phase::Forward);
    EXPECT_EQ(peak.checkpoints[1].allocated, 300);
    EXPECT_EQ(peak.checkpoints[1].peak, 320);
    EXPECT_EQ(peak.checkpoints[1].delta, 300);
    EXPECT_EQ(peak.checkpoints[2].phase, Phase::Backward);
    EXPECT_EQ(peak.checkpoints[2].peak, 440);
    EXPECT_EQ(peak.checkpoints[2].delta, -200);
    EXPECT_EQ(peak.checkpoints[3].phase, Phase::Optimizer);
    EXPECT_EQ(peak.checkpoints[3].delta, 0);
    EXPECT_EQ(peak.checkpoints[3].step, RankStepPosition(0));
}

TEST(MemoryCheckpoints, BeginWithTheWindowThoughPhasesEndBeforeTheFirstEvent) {
    Job job(2);
    addStep(job, 1);
    const MemoryAtPeak peak = peakOf(job);
    ASSERT_EQ(peak.checkpoints.size(), 7U);
    EXPECT_FALSE(peak.checkpoints[0].step);
    EXPECT_EQ(peak.checkpoints[0].at_ns, 0) << "the first step starts then";
    EXPECT_EQ(peak.checkpoints[3].step, RankStepPosition(0));
    EXPECT_EQ(peak.checkpoints[3].allocated, 0);
    EXPECT_TRUE(std::ranges::is_sorted(peak.checkpoints, {}, &MemoryCheckpoint::at_ns));
}

TEST(PhaseRow, JoinsStretchesOfOnePhaseWithinAStepAndLetsTheBackwardWin) {
    PhaseMarks marks;
    marks.ranges = {{{{0, 10}, Phase::Forward},
                     {{12, 20}, Phase::Forward},
                     {{30, 60}, Phase::Backward},
                     {{110, 120}, Phase::Backward}},
                    {{{15, 35}, Phase::Data}, {{70, 80}, Phase::Optimizer}}};
    std::vector<RankStep> steps(2);
    steps[0].host = {0, 100};
    steps[1].host = {100, 200};
    const std::vector<PhaseSpan> row = phaseRow(marks, steps);
    std::vector<std::tuple<Phase, TimeNs, TimeNs>> told;
    for (const PhaseSpan& stretch : row) {
        told.emplace_back(stretch.phase, stretch.span.start_ns, stretch.span.end_ns);
    }
    EXPECT_THAT(told, testing::ElementsAre(std::tuple(Phase::Forward, 0, 20), std::tuple(Phase::Data, 20, 30),
                                           std::tuple(Phase::Backward, 30, 60), std::tuple(Phase::Optimizer, 70, 80),
                                           std::tuple(Phase::Backward, 110, 120)));
    const PhaseOrder order(row);
    EXPECT_EQ(order.phaseAt(65), Phase::Other);
    EXPECT_EQ(order.at(65), 3U);
    EXPECT_EQ(order.next(3, Phase::Backward), 4U);
    EXPECT_EQ(order.next(4, Phase::Forward), order.size());
}

}  // namespace
}  // namespace rankscope::test
