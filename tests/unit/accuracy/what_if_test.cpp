// SPDX-License-Identifier: GPL-3.0-or-later
// What-if forecasts against runs in which the change is made. docs/what-if.md has all.
#include <set>

#include "tests/accuracy/what_if_score.h"
#include "tests/support/places.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"

namespace rankscope::accuracy {
namespace {

TEST(WhatIfAccuracy, IsWithinFivePercentWithNineOfTenInTheirRange) {
    std::vector<WhatIfScore> scores;
    std::set<std::string> told;
    const std::vector<WhatIfJob> jobs = whatIfJobs();
    for (std::size_t i = 1; i < jobs.size(); i += 5) {
        for (WhatIfScore& score : judge(jobs[i])) {
            told.insert(score.told() ? score.kind : "");
            scores.push_back(std::move(score));
        }
    }
    EXPECT_TRUE(holds(scores)) << markdownOf(scores);
    EXPECT_GE(std::ranges::count_if(scores, &WhatIfScore::told), 60);
    for (const char* kind : {"loader:ready", "loader:workers", "overlap:none", "link:x", "kernels", "class:compute",
                             "operator", "fuse", "host", "launch:graphs", "sync:none", "two"}) {
        EXPECT_TRUE(told.contains(kind)) << kind;
    }
}

TEST(WhatIfAccuracy, IsJudgedOnThreeHundredCasesOrMoreOfOneFourAndEightRanks) {
    std::set<int> ranks;
    std::set<std::uint64_t> seeds;
    std::size_t cases = 0;
    std::size_t pairs = 0;
    for (const WhatIfJob& job : whatIfJobs()) {
        ranks.insert(job.before.rankCount());
        EXPECT_TRUE(seeds.insert(job.before.seed).second) << job.name;
        for (const MadeChange& made : job.made) {
            EXPECT_EQ(made.after.seed, job.before.seed) << job.name;
            EXPECT_EQ(made.changes.size(), made.kind == "two" ? 2U : 1U);
            pairs += made.kind == "two" ? 1U : 0U;
            ++cases;
        }
    }
    EXPECT_EQ(ranks, (std::set<int>{1, 4, 8}));
    EXPECT_GE(cases, 300U);
    EXPECT_GE(pairs, 100U);
}

TEST(WhatIfAccuracy, OfRecordedPairsHoldsTheSecondRun) {
    std::size_t told = 0;
    for (const WhatIfPair& pair : whatIfPairs(test::realTraces(), test::sample(""))) {
        const WhatIfScore score = judge(pair);
        EXPECT_TRUE(score.inRange() || !score.skipped.empty()) << markdownOf(std::vector{score});
        told += score.told() ? 1U : 0U;
    }
    EXPECT_GE(told, 2U) << "the sample is in the source";
}

TEST(WhatIfAccuracy, CountsAMissByAnything) {
    WhatIfScore score;
    score.step_ns = 1'000;
    score.forecast_ns = 500;
    score.low_ns = 490;
    score.high_ns = 510;
    score.true_ns = 511;
    EXPECT_FALSE(score.inRange());
    EXPECT_DOUBLE_EQ(score.error(), 1.1);
    EXPECT_FALSE(holds(std::vector{score}));
    score.true_ns = 510;
    EXPECT_TRUE(holds(std::vector{score}));
    score.low_ns = 0;
    score.high_ns = 1'000;
    score.true_ns = 551;
    EXPECT_FALSE(holds(std::vector{score})) << "in its range, but off by more than 5 % of the step";
    score.refused = "\"cool\": No.";
    EXPECT_FALSE(score.told());
    EXPECT_TRUE(holds(std::vector{score})) << "a refusal is no error";
}

}  // namespace
}  // namespace rankscope::accuracy
