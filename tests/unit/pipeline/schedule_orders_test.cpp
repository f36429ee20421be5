// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/schedule_orders.h"

#include <gtest/gtest.h>

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
    EXPECT_FALSE(passOrder(Schedule::ZeroBubble, {4, 1, 8}, 0)) << "it has no fixed order";
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

}  // namespace
}  // namespace rankscope::test
