// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay/replay.h"

#include "core/analysis/stages.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// One step: the host works 1 ms, launches `first` (100 us), waits for it if it is to, works 1 ms and launches `second`
/// (100 us). Each launch takes 10 us to reach the device.
class ShrunkHost : public testing::Test {
  protected:
    [[nodiscard]] static ReplayModel model(bool waits = false) {
        auto [builder, main, stream] = threadAndStream();
        builder.step(main, 0, 0, 2'250);
        builder.kernel(main, 1'000, 5, stream, "first", 1'010, 100);
        if (waits) {
            builder.call(main, "cudaStreamSynchronize", 1'010, 110);
        }
        builder.kernel(main, 2'120, 5, stream, "second", 2'130, 100);
        return makeReplayModel(analyseRank(builder.build(), NameRules::builtIn()).work);
    }
    [[nodiscard]] static DurationNs stepOf(const ReplayModel& model, const ReplayChange& change) {
        return replay(model, change).front().end_ns - model.hosts.front().start_ns;
    }
};

TEST_F(ShrunkHost, BringsForwardWhatWasLaunchedBehindIt) {
    EXPECT_EQ(stepOf(model(), {}), 2'250 * kUs);
    ReplayChange change;
    change.host = {{{100 * kUs, 900 * kUs}, 0}};
    EXPECT_EQ(stepOf(model(), change), (2'250 - 800) * kUs);
}

TEST_F(ShrunkHost, NeverGrows) {
    ReplayChange change;
    change.host = {{{100 * kUs, 900 * kUs}, 5'000 * kUs}};
    EXPECT_EQ(stepOf(model(), change), 2'250 * kUs);
}

TEST_F(ShrunkHost, AHostAtASlowerPaceTakesAsManyTimesAsLongOutsideOfWaits) {
    ReplayChange change;
    change.host_pace = 1.5;
    EXPECT_EQ(stepOf(model(), change), 3'375 * kUs);
    // What waits for the device is no work of the host: 1,515 us, the wait until 10 us after the first kernel's end,
    // and 1,130 us at the slower pace.
    EXPECT_EQ(stepOf(model(true), change), (1'620 + 1'695) * kUs);
}

TEST_F(ShrunkHost, ATimeThatAChangeGivesIsNotPaced) {
    ReplayChange change;
    change.host_pace = 2;
    change.host = {{{100 * kUs, 900 * kUs}, 0}};
    EXPECT_EQ(stepOf(model(), change), 2 * (2'250 - 800) * kUs);
}

TEST(JoinedChanges, KeepTheSlowerPaceAndTheLongerHandOver) {
    ReplayChange slow;
    slow.host_pace = 1.3;
    ReplayChange ready;
    ready.ready_batches = true;
    ready.ready_batch_ns = 500'000;
    const ReplayChange both = joined(slow, ready);
    EXPECT_EQ(both.host_pace, 1.3);
    EXPECT_EQ(both.ready_batch_ns, 500'000);
    EXPECT_TRUE(both.ready_batches);
}

TEST_F(ShrunkHost, CountsTimeOnceThatTwoChangesName) {
    ReplayChange change;
    change.host = {{{500 * kUs, 900 * kUs}, 0}, {{100 * kUs, 700 * kUs}, 0}};
    EXPECT_EQ(stepOf(model(), change), (2'250 - 800) * kUs);
}

TEST_F(ShrunkHost, LeavesAWaitForTheDeviceToTheDevice) {
    // The host may shrink to nothing, but the wait lasts until the first kernel has ended.
    const ReplayModel waiting = model(true);
    EXPECT_EQ(stepOf(waiting, {}), 2'250 * kUs);
    ReplayChange change;
    change.host = {{{1'005 * kUs, 2'120 * kUs}, 0}};
    EXPECT_EQ(stepOf(waiting, change), (2'250 - 1'000) * kUs);
}

TEST_F(ShrunkHost, BringsLaunchesInsideItForwardInProportion) {
    ReplayChange change;
    change.host = {{{2'000 * kUs, 2'240 * kUs}, 120 * kUs}};
    // The second kernel is launched in the middle: 60 us after 2 ms, and ends 110 us later.
    EXPECT_EQ(stepOf(model(), change), (2'060 + 110) * kUs);
}

TEST_F(ShrunkHost, LeavesTheRestWhereWorkIsRemoved) {
    const ReplayModel waiting = model(true);
    ReplayChange change;
    change.removed = [&waiting](const ReplayEvent& event) {
        return event.launched_ns == waiting.events[0].launched_ns;
    };
    // Nothing to wait for: the call costs 10 us instead of 110.
    EXPECT_EQ(stepOf(waiting, change), (2'250 - 100) * kUs);
    change.removed = [](const ReplayEvent&) { return true; };
    EXPECT_EQ(stepOf(model(), change), 2'250 * kUs);  // the host's segment time is left
}

/// Work of 5 ms, and a second piece whose launch call begins meanwhile and takes 20 ms: it starts as that ends. Between
/// the two there may be work of another stream, which ends while the call goes on.
ReplayModel stalledLaunch(bool copies = false) {
    auto [builder, main, stream] = threadAndStream();
    const auto other = builder.stream("20");
    builder.step(main, 0, 0, 22'000);
    builder.kernel(main, 20, 5, stream, "first", 30, 5'000);
    builder.kernel(main, 40, 5, other, "beside", 50, 7'000);
    const auto call = builder.call(main, copies ? "cudaMemcpyAsync" : "cudaLaunchKernel", 100, 20'000);
    const auto work = builder.slice(stream, copies ? Category::Memcpy : Category::Kernel,
                                    copies ? "Memcpy DtoH (Device -> Pageable)" : "second", 20'098, 100);
    builder.launch(call, work);
    return makeReplayModel(analyseRank(builder.build(), NameRules::builtIn()).work);
}

TEST(ReplayModel, WorkThatStartsAsALongLaunchCallEndsWaitedForTheCall) {
    const ReplayModel model = stalledLaunch();
    ASSERT_EQ(model.events.size(), 3U);
    const ReplayEvent& second = model.events[2];
    EXPECT_EQ(second.latency_ns, 19'998 * kUs);
    EXPECT_EQ(second.waits_for, ReplayEvent::kNone);
    EXPECT_LE(second.stream_gap_ns, 1 * kUs);
}

TEST(ReplayModel, ACopyMayWaitForTheDeviceInItsCall) {
    const ReplayModel model = stalledLaunch(true);
    ASSERT_EQ(model.events.size(), 3U);
    EXPECT_LT(model.events[2].latency_ns, 100 * kUs);
}

}  // namespace
}  // namespace rankscope::test
