// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clock/run_clock.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

constexpr TimeNs kSomeInstant = 1'763'690'562'000'000'123;

TEST(RankClock, WithoutAnythingFittedTimesStayAsTheyAre) {
    EXPECT_EQ(RankClock().toRun(FileTime(kSomeInstant)), kSomeInstant);
    EXPECT_EQ(RankClock().toFile(RunTime(kSomeInstant)), kSomeInstant);
}

TEST(RankClock, AnOffsetIsExactOnAbsoluteEpochs) {
    RankClock clock;
    clock.offset_ns = -345'678;
    EXPECT_EQ(clock.toRun(FileTime(kSomeInstant)), kSomeInstant - 345'678);
    EXPECT_EQ(clock.toFile(clock.toRun(FileTime(kSomeInstant))), kSomeInstant);
}

TEST(RankClock, DriftGrowsWithTheDistanceFromItsReference) {
    RankClock clock;
    clock.offset_ns = 1'000;
    clock.drift_ppm = 20;
    clock.reference_ns = FileTime(kSomeInstant);
    EXPECT_EQ(clock.toRun(FileTime(kSomeInstant)), kSomeInstant + 1'000);
    EXPECT_EQ(clock.toRun(FileTime(kSomeInstant + 1'000'000'000)), kSomeInstant + 1'000'000'000 + 1'000 + 20'000);
    EXPECT_EQ(clock.toRun(FileTime(kSomeInstant - 1'000'000'000)), kSomeInstant - 1'000'000'000 + 1'000 - 20'000);
}

TEST(RankClock, ThereAndBackIsTheSameNanosecond) {
    RankClock clock;
    clock.offset_ns = 987'654'321;
    clock.drift_ppm = -37.5;
    clock.reference_ns = FileTime(kSomeInstant);
    for (TimeNs t = kSomeInstant - 5'000'000'000; t < kSomeInstant + 5'000'000'000; t += 123'456'789) {
        EXPECT_LE(std::llabs(clock.toFile(clock.toRun(FileTime(t))) - t), 1) << t;
    }
}

TEST(RankClock, OrderIsKept) {
    RankClock clock;
    clock.drift_ppm = -100;
    clock.reference_ns = FileTime(kSomeInstant);
    for (TimeNs t = kSomeInstant; t < kSomeInstant + 10'000; t += 7) {
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
    run.ranks = {rank_from({0, 0}), rank_from({kSomeInstant + 500, kSomeInstant + 900}),
                 rank_from({kSomeInstant, kSomeInstant + 400})};
    const RunClock clock = alignClocks(run);
    EXPECT_EQ(clock.base_ns, kSomeInstant);
    ASSERT_EQ(clock.ranks.size(), 3U);
    EXPECT_EQ(clock.ranks[1].method, ClockMethod::FileTimes);
    EXPECT_FALSE(clock.ranks[1].uncertainty_ns.has_value());
}

}  // namespace
}  // namespace rankscope
