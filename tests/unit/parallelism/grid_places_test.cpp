// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/parallelism/grid_places.h"

#include "tests/support/grid_run.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

std::vector<RankPosition> allOf(const AnalysedRun& run) {
    std::vector<RankPosition> ranks(run.run->ranks.size());
    std::iota(ranks.begin(), ranks.end(), RankPosition());
    return ranks;
}

TEST(GridPlaces, RanksAreApartByTheirPlacesInADimension) {
    const auto run = runOnAGrid({.data = 2, .pipeline = 3, .tensor = 2});
    const JobGrid& grid = run->facts.parallelism.grid;
    const auto stages = ranksByPlace(grid, Role::Pipeline, allOf(*run));
    ASSERT_EQ(stages.size(), 3U);
    EXPECT_EQ(stages[1].place, 1);
    EXPECT_EQ(stages[1].ranks, (std::vector{RankPosition(2), RankPosition(3), RankPosition(8), RankPosition(9)}));
    EXPECT_TRUE(ranksByPlace(grid, Role::Expert, allOf(*run)).empty());
    EXPECT_EQ(placeIn(grid, Role::Tensor, RankPosition(5)), 1);
    EXPECT_EQ(placeIn(grid, Role::Expert, RankPosition(5)), std::nullopt);
    EXPECT_EQ(placeIn(grid, Role::Tensor, RankPosition(99)), std::nullopt) << "a rank that is not known yet";
}

TEST(GridPlaces, ThoseOfUnknownPlaceComeLastAndKeepTheirOrder) {
    const auto run = runOnAGrid({.data = 1, .pipeline = 2, .tensor = 2});
    JobGrid& grid = run->facts.parallelism.grid;
    grid.places[0][0].reset();
    grid.places[3][0].reset();
    const std::array order = {RankPosition(3), RankPosition(2), RankPosition(1), RankPosition(0)};
    const auto stages = ranksByPlace(grid, Role::Pipeline, order);
    ASSERT_EQ(stages.size(), 3U);
    EXPECT_EQ(stages.back().place, std::nullopt);
    EXPECT_EQ(stages.back().ranks, (std::vector{RankPosition(3), RankPosition(0)}));
}

TEST(GridNumbers, OfRanksWithoutAFileFollowFromTheirPlaces) {
    const auto run = runOnAGrid({.data = 2, .pipeline = 3, .tensor = 2, .missing = {9}});
    const GridNumbers numbers(*run->run, run->facts.parallelism.grid);
    EXPECT_EQ(numbers.at(std::array{1, 1, 1}), RankNumber(9));
    EXPECT_EQ(numbers.at(std::array{0, 2, 1}), RankNumber(5));
    EXPECT_EQ(numbers.at(std::array{1, 1}), std::nullopt) << "that is no whole place";
}

TEST(GridNumbers, AreUnknownWhereARankHasADifferentOne) {
    const auto run = runOnAGrid({.data = 2, .pipeline = 2, .tensor = 2});
    std::swap(run->facts.parallelism.grid.places[1], run->facts.parallelism.grid.places[6]);
    EXPECT_EQ(GridNumbers(*run->run, run->facts.parallelism.grid).at(std::array{0, 0, 0}), std::nullopt);
}

}  // namespace
}  // namespace rankscope::test
