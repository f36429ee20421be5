// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/critical_path.h"

#include "core/analysis/path_slices.h"
#include "core/analysis/path_sums.h"
#include "core/analysis/run_facts.h"
#include "tests/support/fact_checks.h"
#include "tests/support/late_ranks.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

RunFacts runFactsOf(std::vector<std::shared_ptr<const RankTrace>> ranks) {
    const auto run = runOf(std::move(ranks));
    auto result = analyseFacts(*run, {.threads = 1}, {}, {});
    EXPECT_TRUE(result.ok());
    checkPaths(result.value().facts);
    return std::move(result.value().facts);
}

TEST(CriticalPath, HoldsWhatMadeARankLateWhateverItDidWhileTheOthersWaited) {
    // Rank 1 gets its batch 400 us late. Rank 0 waits from 305 us on for 500 us, in which rank 1 computes for 300 us.
    const std::vector<Doing> quick(4, {0, 300, 305});
    const std::vector<Doing> late(4, {400, 395, 800});
    const RunFacts facts = runFactsOf({rankThatIs(0, quick), rankThatIs(1, late)});
    const PathTimes& path = facts.ranks[0].path;
    EXPECT_EQ(facts.ranks[0].steps[1].wait_causes.compute_ns, 395'000) << "which is all that rank 0 sees of rank 1";
    const DurationNs input_ns = path.idle[Cause::DataLoader];
    EXPECT_GE(input_ns, 4 * 400'000);
    EXPECT_LE(input_ns, 4 * 405'000);
    EXPECT_EQ(path.compute_ns, 4 * 495'000) << "of rank 1, up to the last all-reduce, and the last kernel";
    EXPECT_EQ(path.transfer_ns, 4 * 100'000);
    EXPECT_EQ(path.total(), 4'000'000) << "the path is as long as the steps";
    EXPECT_EQ(facts.ranks[1].path.idle[Cause::DataLoader], input_ns) << "and ends alike on each rank";
    EXPECT_EQ(facts.ranks[1].path.compute_ns, path.compute_ns);
}

TEST(CriticalPath, OfAStepGoesThroughTheRankThatWasLateAndItsDataLoader) {
    const auto run = runOf(
        {rankThatIs(0, std::vector<Doing>(4, {0, 300, 305})), rankThatIs(1, std::vector<Doing>(4, {400, 395, 800}))});
    const auto analysed = analyseFacts(*run, {.threads = 1}, {}, {});
    ASSERT_TRUE(analysed.ok());
    const RunFacts& facts = analysed.value().facts;
    const RunStepPosition step{1};
    CriticalPath path = pathOfStep(facts, step, RankPosition(0));
    namePathSlices(*run, facts, path);
    ASSERT_EQ(path.turns.size(), 1U);
    const PathTurn& turn = path.turns.front();
    EXPECT_EQ(turn.last, RankPosition(1)) << "which came last";
    EXPECT_EQ(turn.waiter, RankPosition(0));
    EXPECT_EQ(turn.arrived_ns, 1'800'000);
    EXPECT_EQ(turn.begun_ns, 1'800'000) << "they are on one clock here";
    for (std::size_t i = 0; i < path.stretches.size(); ++i) {
        EXPECT_EQ(path.stretches[i].rank, RankPosition(i < turn.stretch ? 1 : 0)) << "stretch " << i;
    }
    EXPECT_EQ(path.times().total(), 1'000'000) << "the step, to the nanosecond";
    const std::vector<PathPart> parts = partsOfPath(path);
    EXPECT_EQ(parts[0].kind, PathKind::Compute);
    EXPECT_EQ(parts[0].ns, 495'000) << "395 us of rank 1, and 100 us of rank 0 behind the all-reduce";
    EXPECT_EQ(parts[1].kind, PathKind::Idle);
    EXPECT_EQ(parts[1].cause, Cause::DataLoader);
    EXPECT_NEAR(static_cast<double>(parts[1].ns), 400'000, 3'000);
    const PathStretch& loader = path.stretches[parts[1].longest];
    EXPECT_EQ(loader.worker, RankPosition(1));
    EXPECT_EQ(run->ranks[1]->name(loader.slice), "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
    const auto transfer = std::ranges::find(path.stretches, PathKind::Transfer, &PathStretch::kind);
    ASSERT_NE(transfer, path.stretches.end());
    EXPECT_EQ(transfer->span, (TimeSpan{1'800'000, 1'900'000}));
    EXPECT_EQ(run->ranks[0]->name(transfer->slice), kReduction) << "its slice is the kernel on its stream";
    const std::vector<PathShare> ranks = ranksOfPath(path);
    ASSERT_EQ(ranks.size(), 2U);
    EXPECT_EQ(ranks[0].rank, RankPosition(1));
    EXPECT_EQ(ranks[0].ns, 800'000);
    EXPECT_EQ(ranks[0].turns, 1U);
    EXPECT_EQ(ranks[1].ns, 200'000);
    EXPECT_EQ(ranks[1].turns, 0U);
}

TEST(CriticalPath, OfAStepNamesTheKernelThatEndsEachStretch) {
    auto [model, main, first] = threadAndStream("main");
    const std::uint32_t second = model.stream("8");
    model.step(main, 1, 0, 100);
    model.kernel(main, 0, 1, first, "early", 2, 50);
    model.kernel(main, 2, 1, second, "late", 30, 60);  // until 90
    model.kernel(main, 4, 1, first, "last", 90, 10);
    const auto run = runOf({model.build()});
    const auto analysed = analyseFacts(*run, {.threads = 1}, {}, {});
    ASSERT_TRUE(analysed.ok());
    CriticalPath path = pathOfStep(analysed.value().facts, RunStepPosition(0), RankPosition(0));
    namePathSlices(*run, analysed.value().facts, path);
    std::vector<std::pair<std::string_view, DurationNs>> names;
    for (const PathStretch& stretch : path.stretches) {
        if (stretch.kind == PathKind::Compute) {
            names.emplace_back(run->ranks[0]->name(stretch.slice), stretch.length());
        }
    }
    EXPECT_EQ(names, (std::vector<std::pair<std::string_view, DurationNs>>{
                         {"early", 28'000}, {"late", 60'000}, {"last", 10'000}}));
}

TEST(CriticalPath, OfAStepThatARankLacksIsNotThere) {
    const auto run = runOf(
        {rankThatIs(0, std::vector<Doing>(3, {0, 300, 305})), rankThatIs(1, std::vector<Doing>(2, {0, 300, 305}))});
    const auto analysed = analyseFacts(*run, {.threads = 1}, {}, {});
    ASSERT_TRUE(analysed.ok());
    const RunFacts& facts = analysed.value().facts;
    ASSERT_EQ(facts.steps.size(), 3U);
    EXPECT_TRUE(pathOfStep(facts, RunStepPosition(2), RankPosition(1)).stretches.empty());
    EXPECT_FALSE(pathOfStep(facts, RunStepPosition(2), RankPosition(0)).stretches.empty());
    EXPECT_EQ(lastToEnd(facts, analysed.value().clock, RunStepPosition(2)), RankPosition(0));
}

TEST(CriticalPath, TurnsToWhicheverRankIsLateInAStep) {
    const Doing quick{0, 300, 305};
    const Doing late_batch{400, 395, 800};
    const Doing much_work{0, 795, 800};
    const RunFacts facts = runFactsOf(
        {rankThatIs(0, {late_batch, quick, late_batch, quick}), rankThatIs(1, {quick, much_work, quick, much_work})});
    for (const RankFacts& rank : facts.ranks) {
        EXPECT_EQ(rank.path.compute_ns, 2 * 495'000 + 2 * 895'000);
        EXPECT_NEAR(static_cast<double>(rank.path.idle[Cause::DataLoader]), 800'000, 10'000);
    }
}

TEST(CriticalPath, LeavesOutStepsThatAreNotLikeTheOthers) {
    std::vector<Doing> steps(40, {0, 300, 305});
    steps[4].length_us = 2'000;
    const RunFacts facts = runFactsOf({rankThatIs(0, steps), rankThatIs(1, steps)});
    ASSERT_TRUE(facts.ranks[0].steps[4].outlier);
    EXPECT_EQ(facts.ranks[0].path.total(), 39'000'000);
    EXPECT_EQ(facts.ranks[0].path.compute_ns, 39 * 400'000);
}

}  // namespace
}  // namespace rankscope::test
