// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/slow_groups.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

constexpr DurationNs kLatencyNs = 10'000;

/// A group of these ranks, whose transfers take so many nanoseconds for a kilobyte.
struct Group {
    std::string description;
    std::vector<std::int32_t> ranks;
    DurationNs ns_a_kilobyte = 10;
    std::size_t collectives = 10;
    std::int64_t kilobytes = 8'000;
    CollectiveKind kind = CollectiveKind::AllReduce;
};

CollectiveFacts factsOf(const std::vector<Group>& groups) {
    CollectiveFacts facts;
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
        CollectiveGroup group;
        group.description = groups[g].description;
        for (const std::int32_t rank : groups[g].ranks) {
            group.ranks.emplace_back(rank);
        }
        facts.groups.push_back(std::move(group));
        for (std::size_t i = 0; i < groups[g].collectives; ++i) {
            Collective collective;
            collective.kind = groups[g].kind;
            collective.group = g;
            collective.bytes = 1'000 * groups[g].kilobytes;
            // One in two takes a hundredth longer.
            const DurationNs moved_ns = groups[g].ns_a_kilobyte * groups[g].kilobytes;
            collective.transfer_ns = kLatencyNs + moved_ns + (i % 2 == 0 ? 0 : moved_ns / 100);
            facts.collectives.push_back(std::move(collective));
        }
    }
    findSlowGroups(facts);
    return facts;
}

std::vector<std::uint32_t> slowOf(const std::vector<Group>& groups) {
    std::vector<std::uint32_t> slow;
    for (const SlowGroup& one : factsOf(groups).slow_groups) {
        slow.push_back(one.group);
    }
    return slow;
}

TEST(SlowGroups, AreThoseWhoseSistersMoveTheSameBytesFaster) {
    const CollectiveFacts facts = factsOf({{"tp", {0, 1}}, {"tp", {2, 3}, 40}, {"tp", {4, 5}}, {"dp", {0, 2, 4}, 90}});
    ASSERT_EQ(facts.slow_groups.size(), 1U);
    const SlowGroup& slow = facts.slow_groups.front();
    EXPECT_EQ(slow.group, 1U);
    EXPECT_EQ(facts.slowGroup(1), &slow);
    EXPECT_EQ(facts.slowGroup(0), nullptr);
    EXPECT_EQ(slow.sisters, 2U);
    EXPECT_NEAR(slow.gb_per_s, 25, 1.5);
    EXPECT_NEAR(slow.sisters_gb_per_s, 89, 1);
    for (const Collective& collective : facts.collectives) {
        EXPECT_EQ(collective.baseline_transfer_ns.has_value(), collective.group == 1);
        if (collective.group == 1) {
            EXPECT_NEAR(static_cast<double>(*collective.baseline_transfer_ns), 90'000, 1'000);
        }
    }
}

TEST(SlowGroups, AreNoneAmongEqualsOrWhereTheDifferenceIsSmall) {
    EXPECT_TRUE(slowOf({{"tp", {0, 1}}, {"tp", {2, 3}}}).empty());
    EXPECT_TRUE(slowOf({{"tp", {0, 1}}, {"tp", {2, 3}, 14}}).empty()) << "1.4 times the time is not much longer";
    EXPECT_THAT(slowOf({{"tp", {0, 1}}, {"tp", {2, 3}, 20}}), testing::ElementsAre(1U));
}

TEST(SlowGroups, AreHeldAgainstGroupsThatDoTheSameAlone) {
    EXPECT_TRUE(slowOf({{"tp", {0, 1}}, {"dp", {2, 3}, 40}}).empty()) << "they are for different things";
    EXPECT_TRUE(slowOf({{"tp", {0, 1}}, {"tp", {2, 3, 4}, 40}}).empty()) << "one has more ranks";
    EXPECT_TRUE(slowOf({{"", {0, 1}}, {"", {1, 2}, 40}}).empty()) << "a rank stands in both";
    EXPECT_TRUE(slowOf({{"tp", {0, 1}}, {"tp", {2, 3}, 40, 10, 4'000}}).empty()) << "other bytes";
    EXPECT_TRUE(slowOf({{"tp", {0, 1}}, {"tp", {2, 3}, 40, 4}}).empty()) << "four say little";
    EXPECT_TRUE(slowOf({{"ep", {0, 1}, 10, 10, 8'000, CollectiveKind::AllToAll},
                        {"ep", {2, 3}, 40, 10, 8'000, CollectiveKind::AllToAll}})
                    .empty())
        << "what each rank moves in these is not recorded";
}

TEST(SlowGroups, MayHaveSeveralGroupsOfTheSameRanks) {
    EXPECT_THAT(slowOf({{"dp", {0, 2}}, {"dp", {1, 3}, 40}, {"dp", {0, 2}}, {"dp", {1, 3}, 40}}),
                testing::ElementsAre(1U, 3U));
}

}  // namespace
}  // namespace rankscope::test
