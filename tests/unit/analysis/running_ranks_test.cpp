// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gaps/running_ranks.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

using Changes = std::vector<RunningRanks>;

TEST(RunningRanks, AreCountedFromChangeToChange) {
    const std::vector<RankPauses> ranks = {{{10, 20}, {30, 40}}, {{15, 35}}, {}};
    EXPECT_EQ(runningRanks(ranks, {0, 100}), (Changes{{0, 3}, {10, 2}, {15, 1}, {20, 2}, {30, 1}, {35, 2}, {40, 3}}));
}

TEST(RunningRanks, ARankWhoseThreadsStallTogetherStandsStillOnce) {
    const std::vector<RankPauses> ranks = {{{30, 50}, {10, 40}}, {}};
    EXPECT_EQ(runningRanks(ranks, {0, 100}), (Changes{{0, 2}, {10, 1}, {50, 2}}));
}

TEST(RunningRanks, WhereOneStopsAsAnotherGoesOnNothingChanges) {
    const std::vector<RankPauses> ranks = {{{10, 20}}, {{20, 30}}};
    EXPECT_EQ(runningRanks(ranks, {0, 100}), (Changes{{0, 2}, {10, 1}, {30, 2}}));
}

TEST(RunningRanks, AreKnownInTheWindowAlone) {
    const std::vector<RankPauses> ranks = {{{0, 20}, {90, 200}}, {{150, 160}}};
    EXPECT_EQ(runningRanks(ranks, {10, 100}), (Changes{{10, 1}, {20, 2}, {90, 1}}));
    EXPECT_EQ(runningRanks(ranks, {0, 0}), Changes());
}

}  // namespace
}  // namespace rankscope
