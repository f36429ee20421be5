// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/pipeline_ranks.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

bool wraps(std::initializer_list<int> ranks, std::set<std::int32_t> peers) {
    std::vector<RankNumber> numbers;
    for (const int rank : ranks) {
        numbers.emplace_back(rank);
    }
    return wrapsAround(numbers, {.peers = std::move(peers), .called = {}, .inner = {}, .work = {}});
}

TEST(PipelineRanks, WrapAroundWhereTheFirstMeetsTheLast) {
    EXPECT_TRUE(wraps({0, 1, 2, 3}, {0, 1, 3}));
    EXPECT_FALSE(wraps({0, 1, 2, 3}, {0, 1}));
    EXPECT_TRUE(wraps({0, 4, 8, 12}, {0, 4, 12})) << "by the numbers of the job";
    EXPECT_TRUE(wraps({0, 4, 8, 12}, {0, 1, 3})) << "by the numbers of the group";
    EXPECT_FALSE(wraps({0, 4, 8, 12}, {0, 1}));
    EXPECT_FALSE(wraps({0, 1}, {0, 1})) << "of two the last is the next";
    EXPECT_FALSE(wraps({0, 1, 2, 3}, {})) << "not recorded";
}

}  // namespace
}  // namespace rankscope::test
