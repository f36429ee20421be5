// SPDX-License-Identifier: GPL-3.0-or-later
// A few of the pairs that `./dev accuracy --compare` judges in full.

#include "tests/accuracy/run_pairs.h"
#include "tests/support/testing.h"

namespace rankscope::accuracy {
namespace {

std::vector<PairTally> judged(int change_percent, int steps, std::size_t most) {
    std::vector<PairScore> scores;
    for (const RunPair& pair : pairMatrix()) {
        if (pair.change_percent == change_percent && pair.steps == steps && scores.size() < most) {
            scores.push_back(judge(pair));
            EXPECT_EQ(scores.back().error, "");
        }
    }
    return tallyOf(scores);
}

TEST(RunPairs, OfTheSameJobHardlyEverGetAVerdict) {
    const std::vector<PairTally> tallies = judged(0, 8, 20);
    ASSERT_EQ(tallies.size(), 1U);
    EXPECT_EQ(tallies.front().pairs, 20U);
    // With 5 of a hundred, 4 or more of 20 are seen once in 60 times; these 20 are always the same.
    EXPECT_LE(tallies.front().wrong(), 3U);
    EXPECT_GT(tallies.front().true_spread, 0.01) << "steps that do not differ judge nothing";
}

TEST(RunPairs, WithAThirdMoreToComputeAreSlower) {
    const std::vector<PairTally> tallies = judged(30, 8, 8);
    ASSERT_EQ(tallies.size(), 1U);
    EXPECT_GT(tallies.front().true_share, 0.2);
    EXPECT_EQ(tallies.front().slower, 8U);
    EXPECT_TRUE(holds(tallies));
}

TEST(RunPairs, TheJudgeSaysNo) {
    EXPECT_FALSE(holds({{.change_percent = 0, .steps = 8, .pairs = 100, .slower = 6}}));
    EXPECT_TRUE(holds({{.change_percent = 0, .steps = 8, .pairs = 100, .slower = 3, .faster = 2}}));
    EXPECT_FALSE(holds({{.change_percent = 30, .steps = 8, .pairs = 30, .slower = 20, .expected = 1}}));
    EXPECT_FALSE(holds({{.change_percent = 3, .steps = 8, .pairs = 30, .slower = 5, .faster = 1, .expected = 0.1}}));
}

}  // namespace
}  // namespace rankscope::accuracy
