// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/json/parts.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

TEST(SlowGroupsInReports, HaveTheirSpeedNextToThatOfTheirSisters) {
    CollectiveFacts facts;
    for (const char* const name : {"7", "8"}) {
        CollectiveGroup group;
        group.name = name;
        facts.groups.push_back(std::move(group));
    }
    facts.slow_groups = {{.group = 1, .sisters = 1, .gb_per_s = 56.5, .sisters_gb_per_s = 176}};
    const report::Json groups = report::groupsJson(facts);
    EXPECT_TRUE(groups[0]["slow"].is_null());
    EXPECT_EQ(groups[1]["slow"]["sisters"], 1);
    EXPECT_EQ(groups[1]["slow"]["gb_per_s"], 56.5);
    EXPECT_EQ(groups[1]["slow"]["sisters_gb_per_s"], 176.0);
}

}  // namespace
}  // namespace rankscope::test
