// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of all ranks in which nothing shows who arrives last, and what to record for it.
#include "core/diagnosis/frame/cannot_tell.h"
#include "tests/support/analysed.h"
#include "tests/support/late_ranks.h"
#include "tests/support/model_builder.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

const CannotTell& stragglersOf(const AnalysedRun& run) {
    const auto at = std::ranges::find(run.diagnosis.cannot_tell, FindingId::StragglerRank, &CannotTell::id);
    if (at == run.diagnosis.cannot_tell.end()) {
        throw std::runtime_error("nothing is unknown about stragglers");
    }
    return *at;
}

/// What is left out of a recording of two ranks with three steps.
struct Without {
    bool launches_of_rank_1 = false;
    bool waiting = false;  ///< work goes on while all-reduces run
    std::size_t steps = 3;
};

std::shared_ptr<const RankTrace> rankOf(std::int32_t number, const Without& without) {
    ModelBuilder model;
    model.rank(number, 2);
    const std::uint32_t main = model.thread("main");
    const std::uint32_t compute = model.stream("7");
    const std::uint32_t comm = model.stream("20");
    for (std::size_t step = 0; step < without.steps; ++step) {
        const double at_us = 1000.0 * static_cast<double>(step);
        model.step(main, static_cast<std::int64_t>(step), at_us, 990);
        model.kernel(main, at_us + 3, 1, compute, "gemm", at_us + 5, without.waiting ? 990 : 300);
        const bool launched = number == 0 || !without.launches_of_rank_1;
        const auto reduction = launched ? model.kernel(main, at_us + 6, 1, comm, kReduction, at_us + 310, 590)
                                        : model.slice(comm, Category::Kernel, kReduction, at_us + 310, 590);
        model.collective(reduction, "allreduce", 1000);
        if (!without.waiting) {
            model.kernel(main, at_us + 8, 1, compute, "adam", at_us + 900, 90);
        }
    }
    return model.build();
}

AnalysedRun analyseWithout(const Without& without) {
    return analyse(runOf({rankOf(0, without), rankOf(1, without)}));
}

TEST(UnknownSegments, AreKnownWhereTwoCollectivesMakeRanksWait) {
    const AnalysedRun run = analyseWithout({});
    EXPECT_FALSE(run.facts.stragglers.segments.empty());
    EXPECT_THROW(stragglersOf(run), std::runtime_error);
}

TEST(UnknownSegments, WithoutLaunchesAskForTheCpuAndNotForMoreRanks) {
    const AnalysedRun run = analyseWithout({.launches_of_rank_1 = true});
    const CannotTell& unknown = stragglersOf(run);
    EXPECT_THAT(unknown.reason, HasSubstr("The launches of collectives were not recorded on rank 1."));
    EXPECT_THAT(unknown.record, HasSubstr("ProfilerActivity.CPU"));
    EXPECT_THAT(unknown.record, testing::Not(HasSubstr("all ranks of the job")));
}

TEST(UnknownSegments, WhereNothingWaitsAskForMoreSteps) {
    const CannotTell unknown = stragglersOf(analyseWithout({.waiting = true}));
    EXPECT_THAT(unknown.reason, HasSubstr("Fewer than two collectives make GPUs wait."));
    EXPECT_EQ(unknown.record, "Record several complete steps on all ranks.");
}

TEST(UnknownSegments, OfASingleStepAskForSeveral) {
    const CannotTell unknown = stragglersOf(analyseWithout({.steps = 1}));
    EXPECT_THAT(unknown.reason, HasSubstr("no two were recorded"));
}

TEST(UnknownSegments, OfExchangesOfExpertsAreNotForLackOfRanks) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    const CannotTell unknown = stragglersOf(loadAndAnalyse(realTraces() / "unseen_1/expert_8ranks"));
    EXPECT_THAT(unknown.reason, HasSubstr("operations that a rank may leave before the others"));
    EXPECT_EQ(unknown.record, kNothingToRecord);
}

}  // namespace
}  // namespace rankscope::test
