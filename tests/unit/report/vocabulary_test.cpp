// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/words/vocabulary.h"

#include "core/analysis/facts.h"
#include "core/clock/run_clock.h"
#include "core/diagnosis/frame/finding.h"
#include "tests/support/places.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

json definitions() {
    std::ifstream file(test::sourceFolder() / "resources/report.schema.json");
    return json::parse(file)["$defs"];
}

/// The words of an enum from its first to its last value, in order.
template <class Enum>
json words(std::string_view (*name)(Enum), Enum last) {
    json out = json::array();
    for (int i = 0; i <= static_cast<int>(last); ++i) {
        out.push_back(name(static_cast<Enum>(i)));
    }
    return out;
}

TEST(SchemaVocabulary, IsThatOfTheProgram) {
    const json defs = definitions();
    EXPECT_EQ(defs["cause_times"]["required"], words(&causeName, Cause::OtherRank));
    EXPECT_EQ(defs["cause_times"]["properties"].size(), kCauseCount);
    EXPECT_EQ(defs["collective"]["properties"]["kind"]["enum"], words(&collectiveKindName, CollectiveKind::Unknown));
    EXPECT_EQ(defs["collective"]["properties"]["match"]["enum"], words(&matchMethodName, MatchMethod::Unmatched));
    EXPECT_EQ(defs["collective_group"]["properties"]["origin"]["enum"], words(&groupOriginName, GroupOrigin::Unknown));
    EXPECT_EQ(defs["step"]["properties"]["source"]["enum"], words(&stepSourceName, StepSource::WholeWindow));
    EXPECT_EQ(defs["clock"]["properties"]["method"]["enum"], words(&clockMethodName, ClockMethod::Typed));
    EXPECT_EQ(defs["rank"]["properties"]["rank_origin"]["enum"], words(&rankOriginName, RankOrigin::Unknown));
    EXPECT_EQ(defs["finding"]["properties"]["severity"]["enum"], words(&severityName, Severity::High));
    EXPECT_EQ(defs["finding"]["properties"]["confidence"]["enum"], words(&confidenceName, Confidence::High));
    json roles = words(&roleName, Role::World);
    EXPECT_EQ(defs["role_times"]["required"].size(), kRoleCount + 1);
    for (const json& role : roles) {
        EXPECT_TRUE(defs["role_times"]["properties"].contains(role)) << role;
    }
    roles.push_back(nullptr);
    EXPECT_EQ(defs["group_role"]["properties"]["role"]["enum"], roles);
    const json& shard = defs["shards"]["properties"]["collectives"]["items"]["properties"];
    EXPECT_EQ(shard["wait_cause"]["enum"], words(&shardCauseName, ShardCause::Unknown));
    EXPECT_EQ(shard["transfer_cause"]["enum"], words(&shardCauseName, ShardCause::Unknown));
    EXPECT_EQ(shard["operation"]["enum"], words(&shardOperationName, ShardOperation::Scatter));
    EXPECT_EQ(defs["shards"]["properties"]["framework"]["enum"], words(&shardFrameworkName, ShardFramework::DeepSpeed));
    EXPECT_EQ(defs["operation_counts"]["items"]["properties"]["kind"]["enum"],
              words(&collectiveKindName, CollectiveKind::Unknown));
    EXPECT_EQ(defs["info_rank"]["properties"]["tracks"]["items"]["properties"]["kind"]["enum"],
              words(&trackKindName, TrackKind::Other));
}

TEST(RankLabel, NamesTheRankOrElseThePlaceAmongTheFiles) {
    RankTrace rank;
    EXPECT_EQ(rankLabel(rank, RankPosition(1)), "file 2");
    rank.rank = RankNumber(7);
    EXPECT_EQ(rankLabel(rank, RankPosition(1)), "rank 7");
}

}  // namespace
}  // namespace rankscope::test
