// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sort_runs.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

using Item = std::pair<int, int>;  // a key, and where it stood

const auto kByKey = [](const Item& a, const Item& b) { return a.first < b.first; };

TEST(SortRuns, SortsAnythingAndKeepsEqualsInOrder) {
    std::uint64_t state = 7;
    for (std::size_t size = 0; size < 200; ++size) {
        std::vector<Item> items;
        for (std::size_t i = 0; i < size; ++i) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            items.emplace_back(static_cast<int>((state >> 40U) % 20), static_cast<int>(i));
        }
        std::vector<Item> expected = items;
        std::stable_sort(expected.begin(), expected.end(), kByKey);
        sortRuns(items, kByKey);
        EXPECT_EQ(items, expected);
    }
}

TEST(SortRuns, ComparesEachNeighbourOnceWhereAllIsInOrder) {
    std::vector<Item> items;
    for (int i = 0; i < 1000; ++i) {
        items.emplace_back(i / 3, i);
    }
    std::size_t comparisons = 0;
    sortRuns(items, [&](const Item& a, const Item& b) {
        ++comparisons;
        return a.first < b.first;
    });
    EXPECT_EQ(comparisons, items.size() - 1);
}

TEST(SortRuns, ComparesAgainOnlyWhereARunReachesIntoTheOneBefore) {
    std::vector<Item> items;
    for (int i = 0; i < 1000; ++i) {
        items.emplace_back(i, i);
    }
    for (int i = 0; i < 1000; ++i) {
        items.emplace_back(990 + i, 1000 + i);
    }
    std::vector<Item> expected = items;
    std::ranges::stable_sort(expected, kByKey);
    std::size_t comparisons = 0;
    sortRuns(items, [&](const Item& a, const Item& b) {
        ++comparisons;
        return a.first < b.first;
    });
    EXPECT_EQ(items, expected);
    EXPECT_LT(comparisons, items.size() + 50);
}

}  // namespace
}  // namespace rankscope
