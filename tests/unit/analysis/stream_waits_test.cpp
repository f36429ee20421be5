// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay/rank_dependencies.h"

#include "core/analysis/replay/replay.h"
#include "core/analysis/stages.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// A step as DDP ends one: an all-reduce from 100 to `over_us`, beside it copies from 100 to 500, then the optimizer,
/// which the host told to wait for the all-reduce if `told`.
AnalysedRank rankWith(bool told, double over_us = 300, DurationNs resolution_ns = 1) {
    auto [builder, main, compute] = threadAndStream();
    const auto communication = builder.stream("20");
    builder.step(main, 0, 0, 60);
    builder.kernel(main, 1, 1, compute, "gemm", 12, 80);
    builder.op(main, "nccl:all_reduce", 4, 8);
    builder.call(main, "cudaStreamWaitEvent", 5, 1);
    builder.kernel(main, 7, 1, communication, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 100, over_us - 100);
    builder.kernel(main, 20, 1, compute, "copies", 100, 400);
    if (told) {
        builder.call(main, "cudaStreamWaitEvent", 30, 1);
    }
    builder.kernel(main, 40, 1, compute, "adam", 501, 100);
    const auto trace = std::const_pointer_cast<RankTrace>(builder.build());
    trace->health.time_slack_ns = resolution_ns > 1 ? resolution_ns : 0;
    return analyseRank(trace, NameRules::builtIn());
}

DurationNs savedWithoutCopies(const AnalysedRank& rank) {
    const ReplayModel model = makeReplayModel(rank.work);
    ReplayChange change;
    change.removed = [](const ReplayEvent& event) { return event.span.length() == 400 * kUs; };
    return replay(model, {}).front().end_ns - replay(model, change).front().end_ns;
}

TEST(StreamWaits, AreTheCallsOutsideOfCollectives) {
    EXPECT_EQ(waitsForCommunication(rankWith(true).work), std::vector<TimeNs>{30 * kUs});
    EXPECT_TRUE(waitsForCommunication(rankWith(false).work).empty());
}

TEST(StreamWaits, ShowWhereWhatHidTheCommunicationIsGone) {
    // The copies end at 500 and the all-reduce at 300: without the copies the optimizer has to wait for it.
    EXPECT_EQ(savedWithoutCopies(rankWith(true)), 201 * kUs);
}

TEST(StreamWaits, HoldUpNothingThatWasToldOfNone) {
    // The step ends with the all-reduce then, and the optimizer beside it.
    EXPECT_EQ(savedWithoutCopies(rankWith(false)), 301 * kUs);
}

TEST(StreamWaits, DoNotHoldForWhatEndedLater) {
    // What it was told to wait for must have been other work: the optimizer had begun by then.
    EXPECT_EQ(makeReplayModel(rankWith(true, 550).work).events.back().comes_after, ReplayEvent::kNone);
}

TEST(StreamWaits, HoldWhereTheGridOfTheTimesLetsTheLaterSeemToStartFirst) {
    // The optimizer seems to start 250 ns before the all-reduce has ended that it waits for.
    const auto after = [](DurationNs resolution_ns) {
        return makeReplayModel(rankWith(true, 501.25, resolution_ns).work).events.back().comes_after;
    };
    EXPECT_EQ(after(1), ReplayEvent::kNone);
    EXPECT_NE(after(250), ReplayEvent::kNone);
    const AnalysedRank rank = rankWith(true, 501.25, 250);
    EXPECT_EQ(replay(makeReplayModel(rank.work), {}).front(), rank.facts.steps.front().span);
    // Without the copies it still waits for the all-reduce.
    EXPECT_EQ(savedWithoutCopies(rank), 0);
}

TEST(StreamWaits, AreNotReadFromWorkThatFollowedItsStreamAtOnce) {
    // The all-reduce ends 500 ns after the copies by chance, and the optimizer starts 1 us after these as ever.
    const ReplayModel model = makeReplayModel(rankWith(false, 500.5).work);
    EXPECT_EQ(model.events.back().waits_for, ReplayEvent::kNone);
    EXPECT_EQ(model.events.back().comes_after, ReplayEvent::kNone);
}

/// What the work that starts at 100 us is taken to have waited for, where something ends then or earlier, and something
/// of another stream 1 us later. Both were launched before it; nothing on its own stream holds it up.
std::string waitedFor(double ends_us, DurationNs resolution_ns) {
    ModelBuilder builder;
    const auto main = builder.thread("1");
    const auto before = builder.stream("20");
    const auto after = builder.stream("21");
    const auto waiting = builder.stream("7");
    builder.step(main, 0, 0, 60);
    builder.kernel(main, 1, 1, before, "ends before", 10, ends_us - 10);
    builder.kernel(main, 5, 1, after, "ends after", 15, 101 - 15);
    builder.kernel(main, 20, 1, waiting, "waits", 100, 50);
    const auto trace = std::const_pointer_cast<RankTrace>(builder.build());
    trace->health.time_slack_ns = resolution_ns > 1 ? resolution_ns : 0;
    const AnalysedRank rank = analyseRank(trace, NameRules::builtIn());
    const ReplayModel model = makeReplayModel(rank.work);
    const std::uint32_t waits_for = model.events.back().waits_for;
    return waits_for == ReplayEvent::kNone ? "nothing" : std::string(trace->name(model.events[waits_for].ref));
}

TEST(RoundedTimes, LetWorkWaitForWhatEndedJustBeforeIt) {
    EXPECT_EQ(waitedFor(100, 1), "ends before");
    EXPECT_EQ(waitedFor(100, 1'000), "ends before");
    EXPECT_EQ(waitedFor(99, 1'000), "ends before");
}

TEST(RoundedTimes, LetWorkWaitForWhatSeemsToEndJustAfterItWhereNothingElseDoes) {
    EXPECT_EQ(waitedFor(60, 1'000), "ends after");
    EXPECT_EQ(waitedFor(60, 1), "ends before") << "these times are exact";
}

}  // namespace
}  // namespace rankscope::test
