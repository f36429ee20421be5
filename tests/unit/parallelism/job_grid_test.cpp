// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/parallelism/job_grid.h"

#include "tests/support/testing.h"
#include "tests/unit/parallelism/job.h"

namespace rankscope::test {
namespace {

/// A group with a role; `first`, `stride` and `size` give its members.
GroupRole groupWith(Role role, std::int32_t first, std::int32_t stride, std::int32_t size) {
    GroupRole group;
    group.role = role;
    group.size = size;
    for (std::int32_t i = 0; i < size; ++i) {
        group.ranks.emplace_back(first + i * stride);
    }
    return group;
}

std::shared_ptr<const Run> ranksOf(const std::vector<std::int32_t>& numbers, std::int32_t world) {
    std::vector<Rank> ranks;
    for (const std::int32_t number : numbers) {
        ranks.push_back({number, world, {}, {}});
    }
    return jobOf(ranks);
}

const std::vector<std::int32_t> kEight = {0, 1, 2, 3, 4, 5, 6, 7};

TEST(JobGrid, IsTheProductOfTheRolesThatCrossEachOther) {
    std::vector<GroupRole> groups;
    for (const std::int32_t first : {0, 2, 4, 6}) {
        groups.push_back(groupWith(Role::Tensor, first, 1, 2));
    }
    for (const std::int32_t first : {0, 1, 4, 5}) {
        groups.push_back(groupWith(Role::Pipeline, first, 2, 2));
    }
    for (const std::int32_t first : {0, 1, 2, 3}) {
        groups.push_back(groupWith(Role::Data, first, 4, 2));
    }
    const JobGrid grid = gridOf(*ranksOf(kEight, 8), groups);
    EXPECT_EQ(grid.text(), "data 2 x pipeline 2 x tensor 2");
    EXPECT_TRUE(grid.complete);
    EXPECT_THAT(grid.notes, IsEmpty());
    EXPECT_EQ(grid.placeText(RankPosition(6)), "dp 1, pp 1, tp 0");
    EXPECT_EQ(grid.dimensions[0].stride, 4);
    EXPECT_EQ(grid.dimensions[2].stride, 1);
}

TEST(JobGrid, SaysWhichFactorIsUnknownWhereRanksAreMissing) {
    const std::vector<GroupRole> groups = {groupWith(Role::Tensor, 0, 1, 2), groupWith(Role::Tensor, 2, 1, 2),
                                           groupWith(Role::Pipeline, 0, 2, 2), groupWith(Role::Pipeline, 1, 2, 2)};
    const JobGrid grid = gridOf(*ranksOf({0, 1, 2, 3}, 8), groups);
    EXPECT_EQ(grid.text(), "pipeline 2 x tensor 2");
    EXPECT_FALSE(grid.complete);
    EXPECT_THAT(grid.notes, ElementsAre(HasSubstr("4 of 8 ranks traced. The known dimensions make 4 of 8 ranks. No "
                                                  "group shows what the other factor of 2 is for.")));
}

TEST(JobGrid, TakesTheContextOutOfShardsThatSpanIt) {
    std::vector<GroupRole> groups = {groupWith(Role::Shard, 0, 1, 8)};
    for (const std::int32_t first : {0, 2, 4, 6}) {
        groups.push_back(groupWith(Role::Sequence, first, 1, 2));
    }
    const JobGrid grid = gridOf(*ranksOf(kEight, 8), groups);
    EXPECT_EQ(grid.text(), "shard 4 x sequence 2") << "torchtitan's dp_shard_cp holds the ranks of all contexts";
    EXPECT_TRUE(grid.complete);
    EXPECT_EQ(grid.placeText(RankPosition(5)), "shard 2, sp 1");
}

TEST(JobGrid, DoesNotDivideAGroupOfWhichSomeMembersHaveNoPlace) {
    const std::vector<GroupRole> groups = {groupWith(Role::Shard, 0, 1, 8), groupWith(Role::Sequence, 0, 1, 2),
                                           groupWith(Role::Sequence, 2, 1, 2)};
    const JobGrid grid = gridOf(*ranksOf({0, 1, 2, 3}, 8), groups);
    EXPECT_EQ(grid.text(), "sequence 2");
    EXPECT_THAT(grid.notes.front(), HasSubstr("shard groups cut across"));
}

TEST(JobGrid, KeepsAGroupWhoseKnownMembersAgreeInTheOtherDimensions) {
    const std::vector<GroupRole> groups = {groupWith(Role::Tensor, 0, 1, 2), groupWith(Role::Data, 0, 2, 4),
                                           groupWith(Role::Data, 1, 2, 4)};
    const JobGrid grid = gridOf(*ranksOf({0, 1}, 8), groups);
    EXPECT_EQ(grid.text(), "data 4 x tensor 2");
    EXPECT_TRUE(grid.complete);
}

TEST(JobGrid, LeavesOutGroupsThatAreProductsAndTakesTheSmallestOfARole) {
    GroupRole product = groupWith(Role::Data, 0, 1, 8);
    product.whole = false;
    const std::vector<GroupRole> groups = {product,
                                           groupWith(Role::Data, 0, 2, 4),
                                           groupWith(Role::Data, 1, 2, 4),
                                           groupWith(Role::Tensor, 0, 1, 2),
                                           groupWith(Role::Tensor, 2, 1, 2),
                                           groupWith(Role::Tensor, 4, 1, 2),
                                           groupWith(Role::Tensor, 6, 1, 2)};
    EXPECT_EQ(gridOf(*ranksOf(kEight, 8), groups).text(), "data 4 x tensor 2");
}

TEST(JobGrid, HasNoDimensionOfGroupsThatShareARank) {
    const std::vector<GroupRole> groups = {groupWith(Role::Tensor, 0, 1, 2), groupWith(Role::Tensor, 1, 1, 2)};
    const JobGrid grid = gridOf(*ranksOf({0, 1, 2}, 3), groups);
    EXPECT_EQ(grid.text(), "");
    EXPECT_THAT(grid.notes.front(), HasSubstr("Rank 1 is in two tensor groups"));
}

TEST(JobGrid, SaysThatNothingIsKnownWhereNoGroupHasARole) {
    GroupRole unknown = groupWith(Role::Data, 0, 1, 8);
    unknown.role.reset();
    const JobGrid grid = gridOf(*ranksOf(kEight, 8), {unknown});
    EXPECT_THAT(grid.dimensions, IsEmpty());
    EXPECT_THAT(grid.notes, ElementsAre("No group has a role that is a dimension of the job."));
}

TEST(Stride, IsNothingOfNumbersThatNoJobGives) {
    const auto of = [](std::initializer_list<std::int32_t> numbers) {
        std::vector<RankNumber> ranks;
        for (const std::int32_t number : numbers) {
            ranks.emplace_back(number);
        }
        return strideOf(ranks);
    };
    EXPECT_EQ(of({0, 4, 8}), 4);
    EXPECT_EQ(of({0, 4, 9}), std::nullopt);
    EXPECT_EQ(of({3, 3, 3}), std::nullopt);
    EXPECT_EQ(of({std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()}), std::nullopt);
    EXPECT_EQ(of({7}), std::nullopt);
}

TEST(JobGrid, ShowsExpertsAcrossTheDataOnlyWhereTheyAddADimension) {
    const std::vector<GroupRole> groups = {groupWith(Role::Data, 0, 1, 8), groupWith(Role::Expert, 0, 1, 4),
                                           groupWith(Role::Expert, 4, 1, 4)};
    EXPECT_EQ(gridOf(*ranksOf(kEight, 8), groups).text(), "data 8");
    EXPECT_EQ(gridOf(*ranksOf(kEight, 8), {groupWith(Role::Expert, 0, 1, 8)}).text(), "expert 8");
}

}  // namespace
}  // namespace rankscope::test
