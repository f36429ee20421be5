// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/schedule_orders.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

std::vector<std::vector<PassId>> ordersOf(Schedule schedule, const PipelineShape& shape) {
    std::vector<std::vector<PassId>> orders;
    for (std::int32_t place = 0; place < shape.ranks; ++place) {
        orders.push_back(passOrder(schedule, shape, place).value_or(std::vector<PassId>()));
    }
    return orders;
}

PlayedTimes equalTimes(const PipelineShape& shape, DurationNs forward_ns, DurationNs backward_ns) {
    return {.stages = {static_cast<std::size_t>(shape.stages()), {forward_ns, backward_ns, 0}}, .hand_over_ns = 0};
}

TEST(ScheduleOrders, OfEqualStagesTakeWhatTheTheorySays) {
    constexpr DurationNs kForward = 700;
    constexpr DurationNs kBackward = 1300;
    for (std::int32_t p = 2; p <= 8; ++p) {
        for (std::int32_t rounds = 1; rounds <= 3; ++rounds) {
            for (const auto& [schedule, v] :
                 {std::pair(Schedule::GPipe, 1), std::pair(Schedule::OneFOneB, 1), std::pair(Schedule::Interleaved, 2),
                  std::pair(Schedule::Interleaved, 3)}) {
                const PipelineShape shape{p, v, rounds * p};
                const auto played = playSchedule(ordersOf(schedule, shape), equalTimes(shape, kForward, kBackward));
                ASSERT_TRUE(played);
                const DurationNs work_ns = static_cast<DurationNs>(v) * rounds * p * (kForward + kBackward);
                EXPECT_EQ(*played, work_ns + (p - 1) * (kForward + kBackward))
                    << scheduleName(schedule) << " " << p << " " << v << " " << rounds;
                EXPECT_DOUBLE_EQ(theoryOf(schedule, shape).value_or(0),
                                 static_cast<double>(*played - work_ns) / static_cast<double>(*played));
            }
        }
    }
}

TEST(ScheduleOrders, AreNoneWhereTheShapeDoesNotFit) {
    EXPECT_FALSE(passOrder(Schedule::Interleaved, {4, 2, 6}, 0)) << "4 ranks do not divide 6 micro-batches";
    EXPECT_FALSE(passOrder(Schedule::Interleaved, {4, 1, 8}, 0)) << "one stage a rank interleaves nothing";
    EXPECT_FALSE(passOrder(Schedule::OneFOneB, {4, 2, 8}, 0));
    EXPECT_FALSE(passOrder(Schedule::ZeroBubble, {4, 2, 8}, 0)) << "two stages a rank are folded there";
    EXPECT_FALSE(theoryOf(Schedule::DualPipe, {4, 2, 8}));
}

TEST(ScheduleOrders, ThatWaitInACircleAreNotPlayed) {
    const PassId f0{PassKind::Forward, 0, 0};
    const PassId f1{PassKind::Forward, 1, 0};
    EXPECT_FALSE(playSchedule({{f1, f0}}, {.stages = {2, {1, 1, 0}}, .hand_over_ns = 0}));
}

TEST(ScheduleOrders, AddTheHandOverBetweenRanksOnly) {
    const PassId f0{PassKind::Forward, 0, 0};
    const PassId f1{PassKind::Forward, 1, 0};
    const PlayedTimes times{.stages = {2, {100, 0, 0}}, .hand_over_ns = 7};
    EXPECT_EQ(playSchedule({{f0, f1}}, times), 200);
    EXPECT_EQ(playSchedule({{f0}, {f1}}, times), 207);
}

/// How long the ranks of a split schedule do nothing, all together, with stages of these times.
DurationNs idleOf(Schedule schedule, const PipelineShape& shape, const std::array<DurationNs, kPassKinds>& times) {
    const auto orders = ordersOf(schedule, shape);
    const PlayedTimes played{.stages = {static_cast<std::size_t>(shape.stages()), times}, .hand_over_ns = 0};
    DurationNs busy_ns = 0;
    for (const std::vector<PassId>& order : orders) {
        for (const PassId& pass : order) {
            busy_ns += times.at(static_cast<std::size_t>(pass.kind));
        }
    }
    return shape.ranks * playSchedule(orders, played).value_or(0) - busy_ns;
}

TEST(ScheduleOrders, OfZeroBubbleLeaveWhatThePaperSays) {
    for (const auto& [p, m] : {std::pair(2, 4), std::pair(4, 8), std::pair(4, 12), std::pair(8, 16)}) {
        // (p - 1)(F + B - W) of each rank.
        EXPECT_EQ(idleOf(Schedule::ZeroBubble, {p, 1, m}, {700, 800, 500}), p * (p - 1) * (700 + 800 - 500))
            << p << " ranks";
        // All are busy from their first pass to their last: what is left is that they begin one after another, and end
        // so.
        EXPECT_EQ(idleOf(Schedule::ZeroBubble, {p, 2, m, true}, {600, 600, 600}), p * (p - 1) * 600) << p << " ranks";
    }
}

TEST(ScheduleOrders, OfFoldedStagesRunEveryPassOnce) {
    for (const Schedule schedule : {Schedule::ZeroBubble, Schedule::DualPipe}) {
        const PipelineShape shape{4, 2, 8, true};
        std::set<PassId> passes;
        for (const std::vector<PassId>& order : ordersOf(schedule, shape)) {
            for (const PassId& pass : order) {
                EXPECT_TRUE(passes.insert(pass).second);
            }
        }
        const auto count = [&](PassKind kind) { return std::ranges::count(passes, kind, &PassId::kind); };
        EXPECT_EQ(count(PassKind::Forward), 8 * 8);
        EXPECT_EQ(count(PassKind::Backward), 8 * 8);
        EXPECT_GT(count(PassKind::WeightGradient), 0);
        EXPECT_TRUE(playSchedule(ordersOf(schedule, shape), equalTimes(shape, 100, 100))) << "none waits in a circle";
        EXPECT_FALSE(passOrder(schedule, {4, 2, 7, true}, 0)) << "as many micro-batches as stages, at least";
    }
}

}  // namespace
}  // namespace rankscope::test
