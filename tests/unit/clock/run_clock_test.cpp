// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clock/run_clock.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace rankscope {
namespace {

constexpr TimeNs kEpoch = 1'763'690'562'000'000'123;

TEST(RankClock, WithoutAnythingFittedTimesStayAsTheyAre) {
    EXPECT_EQ(RankClock().toRun(FileTime(kEpoch)), kEpoch);
    EXPECT_EQ(RankClock().toFile(RunTime(kEpoch)), kEpoch);
}

TEST(RankClock, AnOffsetIsExactOnAbsoluteEpochs) {
    RankClock clock;
    clock.offset_ns = -345'678;
    EXPECT_EQ(clock.toRun(FileTime(kEpoch)), kEpoch - 345'678);
    EXPECT_EQ(clock.toFile(clock.toRun(FileTime(kEpoch))), kEpoch);
}

TEST(RankClock, DriftGrowsWithTheDistanceFromItsReference) {
    RankClock clock;
    clock.offset_ns = 1'000;
    clock.drift_ppm = 20;
    clock.reference_ns = FileTime(kEpoch);
    EXPECT_EQ(clock.toRun(FileTime(kEpoch)), kEpoch + 1'000);
    EXPECT_EQ(clock.toRun(FileTime(kEpoch + 1'000'000'000)), kEpoch + 1'000'000'000 + 1'000 + 20'000);
    EXPECT_EQ(clock.toRun(FileTime(kEpoch - 1'000'000'000)), kEpoch - 1'000'000'000 + 1'000 - 20'000);
}

TEST(RankClock, ThereAndBackIsTheSameNanosecond) {
    RankClock clock;
    clock.offset_ns = 987'654'321;
    clock.drift_ppm = -37.5;
    clock.reference_ns = FileTime(kEpoch);
    for (TimeNs t = kEpoch - 5'000'000'000; t < kEpoch + 5'000'000'000; t += 123'456'789) {
        EXPECT_LE(std::llabs(clock.toFile(clock.toRun(FileTime(t))) - t), 1) << t;
    }
}

TEST(RankClock, OrderIsKept) {
    RankClock clock;
    clock.drift_ppm = -100;
    clock.reference_ns = FileTime(kEpoch);
    for (TimeNs t = kEpoch; t < kEpoch + 10'000; t += 7) {
        EXPECT_LE(clock.toRun(FileTime(t)), clock.toRun(FileTime(t + 7)));
    }
}

TEST(RunClock, TheRunBeginsWithItsFirstRankAndEmptyRanksDoNotCount) {
    const auto rank_from = [](TimeSpan window) {
        auto rank = std::make_shared<RankTrace>();
        rank->window = window;
        return rank;
    };
    rankscope::Run run;
    run.ranks = {rank_from({0, 0}), rank_from({kEpoch + 500, kEpoch + 900}), rank_from({kEpoch, kEpoch + 400})};
    const RunClock clock = alignClocks(run);
    EXPECT_EQ(clock.base_ns, kEpoch);
    ASSERT_EQ(clock.ranks.size(), 3U);
    EXPECT_EQ(clock.ranks[1].method, ClockMethod::FileTimes);
    EXPECT_FALSE(clock.ranks[1].uncertainty_ns.has_value());
}

}  // namespace
}  // namespace rankscope
