// SPDX-License-Identifier: GPL-3.0-or-later
//
// Clocks of ranks that no collective connects which its members end together: sends and receives, and kernels that
// exchange with all others.

#include "tests/support/testing.h"
#include "tests/unit/clock/planted_matches.h"

namespace rankscope::test {
namespace {

using testing::Contains;

rankscope::Run ranksOf(std::size_t count, const std::vector<DurationNs>& offset_ns) {
    rankscope::Run run;
    for (std::size_t r = 0; r < count; ++r) {
        auto trace = std::make_shared<RankTrace>();
        trace->window = {-offset_ns[r], 1'000'000'000 - offset_ns[r]};
        run.ranks.push_back(std::move(trace));
    }
    return run;
}

/// Matches of `ranks` every 10 ms. All members end at one moment, give or take `noise_ns`.
std::vector<ClockMatch> matchesOf(const std::vector<std::size_t>& ranks, const std::vector<DurationNs>& offset_ns,
                                  DurationNs noise_ns, bool exact, std::uint64_t seed) {
    Chance chance(seed);
    std::vector<ClockMatch> matches;
    for (int i = 0; i < 60; ++i) {
        const TimeNs end_ns = 10'000'000 * (i + 1);
        ClockMatch match;
        match.ends_together = exact;
        for (const std::size_t r : ranks) {
            const TimeNs own_end_ns = end_ns + chance.between(-noise_ns, noise_ns);
            const TimeNs start_ns = end_ns - 300'000 - chance.between(std::int64_t{0}, std::int64_t{1'000'000});
            match.members.push_back({RankPosition(r), {start_ns - offset_ns[r], own_end_ns - offset_ns[r]}});
        }
        matches.push_back(std::move(match));
    }
    return matches;
}

TEST(BridgedClocks, SendsAndReceivesConnectWhatNothingElseDoes) {
    const std::vector<DurationNs> offset_ns = {0, 5'000'000, -330'000'000};
    const rankscope::Run run = ranksOf(3, offset_ns);
    std::vector<ClockMatch> matches = matchesOf({0, 1}, offset_ns, 3'000, false, 1);
    for (ClockMatch& match : matchesOf({1, 2}, offset_ns, 3'000, false, 2)) {
        matches.push_back(std::move(match));
    }
    const RunClock clock = alignClocks(run, matches);
    for (RankPosition r{0}; r < 3; ++r) {
        ASSERT_TRUE(clock.ranks[r].uncertainty_ns.has_value());
        EXPECT_EQ(clock.ranks[r].reference, 0U);
        EXPECT_LE(std::abs(clock.ranks[r].toRun(FileTime(500'000'000 - offset_ns[r])).plain() - 500'000'000),
                  *clock.ranks[r].uncertainty_ns);
        EXPECT_LT(*clock.ranks[r].uncertainty_ns, 30'000);
    }
    EXPECT_THAT(clock.notes, Contains(HasSubstr("sends and receives")));
}

TEST(BridgedClocks, EndsThatAreFarApartLeaveALargeUncertainty) {
    const std::vector<DurationNs> offset_ns = {0, 2'000'000};
    const RunClock clock = alignClocks(ranksOf(2, offset_ns), matchesOf({0, 1}, offset_ns, 150'000, false, 3));
    ASSERT_TRUE(clock.ranks[1].uncertainty_ns.has_value());
    EXPECT_GT(*clock.ranks[1].uncertainty_ns, 40'000);
    EXPECT_LE(std::abs(clock.ranks[1].offset_ns - 2'000'000), *clock.ranks[1].uncertainty_ns);
}

TEST(BridgedClocks, DoNotMoveRanksThatCollectivesConnect) {
    const std::vector<DurationNs> offset_ns = {0, 7'000'000, 40'000'000, 41'000'000};
    const rankscope::Run run = ranksOf(4, offset_ns);
    std::vector<ClockMatch> exact = matchesOf({0, 1}, offset_ns, 3'000, true, 4);
    for (ClockMatch& match : matchesOf({2, 3}, offset_ns, 3'000, true, 5)) {
        exact.push_back(std::move(match));
    }
    const RunClock apart = alignClocks(run, exact);
    EXPECT_EQ(apart.ranks[3].reference, 2U);
    std::vector<ClockMatch> all = exact;
    for (ClockMatch& match : matchesOf({0, 2}, offset_ns, 100'000, false, 6)) {
        all.push_back(std::move(match));
    }
    const RunClock bridged = alignClocks(run, all);
    EXPECT_EQ(bridged.ranks[3].reference, 0U);
    EXPECT_EQ(bridged.ranks[1].offset_ns, apart.ranks[1].offset_ns);
    EXPECT_EQ(bridged.ranks[3].offset_ns - bridged.ranks[2].offset_ns,
              apart.ranks[3].offset_ns - apart.ranks[2].offset_ns);
    // Between the two of an island the bridge adds no doubt; across it, it does.
    EXPECT_LT(*bridged.uncertaintyBetween(RankPosition(2), RankPosition(3)), 10'000);
    EXPECT_GT(*bridged.uncertaintyBetween(RankPosition(1), RankPosition(3)), 30'000);
    EXPECT_LE(std::abs(bridged.ranks[2].offset_ns - 40'000'000), *bridged.ranks[2].uncertainty_ns);
}

TEST(BridgedClocks, KernelsThatDoNotWaitForOneAnotherAreNotBelieved) {
    // Each sends, and leaves after 20 us: who is late ends late.
    Chance chance(7);
    const std::vector<DurationNs> offset_ns = {0, 0};
    std::vector<ClockMatch> matches;
    for (int i = 0; i < 60; ++i) {
        ClockMatch match;
        match.ends_together = false;
        for (std::size_t r = 0; r < 2; ++r) {
            const TimeNs start_ns = 10'000'000 * i + chance.between(std::int64_t{0}, std::int64_t{3'000'000});
            match.members.push_back({RankPosition(r), {start_ns, start_ns + 20'000}});
        }
        matches.push_back(std::move(match));
    }
    const RunClock clock = alignClocks(ranksOf(2, offset_ns), matches);
    EXPECT_EQ(clock.ranks[1].reference, 1U);
    EXPECT_FALSE(clock.ranks[1].uncertainty_ns.has_value());
    EXPECT_EQ(clock.ranks[1].offset_ns, 0);
}

TEST(BridgedClocks, OneCollectiveThatConnectsAllLeavesNothingToBridge) {
    const std::vector<DurationNs> offset_ns = {0, 7'000'000, 40'000'000};
    const rankscope::Run run = ranksOf(3, offset_ns);
    const std::vector<ClockMatch> exact = matchesOf({0, 1, 2}, offset_ns, 3'000, true, 8);
    std::vector<ClockMatch> all = exact;
    for (ClockMatch& match : matchesOf({0, 2}, offset_ns, 100'000, false, 9)) {
        all.push_back(std::move(match));
    }
    const RunClock with = alignClocks(run, all);
    const RunClock without = alignClocks(run, exact);
    for (std::size_t r = 0; r < 3; ++r) {
        EXPECT_EQ(with.ranks[r].offset_ns, without.ranks[r].offset_ns);
        EXPECT_EQ(with.ranks[r].uncertainty_ns, without.ranks[r].uncertainty_ns);
    }
}

}  // namespace
}  // namespace rankscope::test
