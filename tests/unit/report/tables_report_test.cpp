// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/reports.h"
#include "tests/support/analysed.h"
#include "tests/support/model_builder.h"
#include "tests/support/report_schema.h"
#include "tests/support/testing.h"
#include "tests/unit/report/report_parts.h"
#include "tests/unit/report/sample_run.h"

namespace rankscope::test {
namespace {

/// Two ranks of one step; the second has one operator more. `extra` names are only there to be many.
AnalysedRun runWithTables(int extra = 0) {
    const auto rank = [extra](bool second) {
        auto [builder, main, stream] = threadAndStream("main");
        builder.step(main, 1, 0, 1000);
        builder.op(main, "aten::mm", 10, 40);
        builder.kernel(main, 20, 10, stream, "void gemm<float, 4>(", 60, second ? 300 : 100);
        if (second) {
            builder.op(main, "aten::add", 60, 10);
        }
        for (int i = 0; i < extra; ++i) {
            builder.op(main, "range_" + std::to_string(i), 100 + i, 0.5);
        }
        return builder.build();
    };
    return analyse(runOf({rank(false), rank(true)}));
}

json named(const json& rows, const std::string& name) {
    for (const json& row : rows) {
        if (row["name"] == name) {
            return row;
        }
    }
    ADD_FAILURE() << name;
    return {};
}

TEST(TablesReport, GivesOperatorsOverAllRanksAndByRank) {
    const json operators = runJson(runWithTables())["operators"];
    const json mm = named(operators, "aten::mm");
    EXPECT_EQ(mm["calls"], 2);
    EXPECT_EQ(mm["total_ns"], 80'000);
    EXPECT_EQ(mm["self_ns"], 60'000);
    EXPECT_EQ(mm["mean_ns"], 40'000);
    EXPECT_EQ(mm["device_self_ns"], 400'000);
    EXPECT_EQ(mm["step_self_ns"], 30'000);
    EXPECT_DOUBLE_EQ(mm["share"].get<double>(), 0.03);
    ASSERT_EQ(mm["ranks"].size(), 2U);
    EXPECT_EQ(mm["ranks"][1]["id"], 1);
    EXPECT_EQ(mm["ranks"][1]["device_ns"], 300'000);
    EXPECT_EQ(named(operators, "aten::add")["ranks"].size(), 1U);
    EXPECT_EQ(operators[0]["name"], "ProfilerStep*");
}

TEST(TablesReport, GivesKernelsWithTheirClassAndShare) {
    const json gemm = named(runJson(runWithTables())["kernels"], "void gemm<float, 4>(");
    EXPECT_EQ(gemm["class"], "compute");
    EXPECT_EQ(gemm["calls"], 2);
    EXPECT_EQ(gemm["total_ns"], 400'000);
    EXPECT_EQ(gemm["busy_ns"], 400'000);
    EXPECT_EQ(gemm["min_ns"], 100'000);
    EXPECT_EQ(gemm["max_ns"], 300'000);
    EXPECT_EQ(gemm["share"], 1.0);
    EXPECT_EQ(gemm["step_ns"], 200'000);
    EXPECT_EQ(gemm["ranks"][0]["total_ns"], 100'000);
}

TEST(TablesReport, CutsATableOfVeryManyNamesAndSaysSo) {
    const json run = runJson(runWithTables(600));
    EXPECT_EQ(run["operators"].size(), 500U);
    EXPECT_EQ(run["operators_left_out"], 104);
    EXPECT_EQ(run["kernels_left_out"], 0);
}

TEST(TablesReport, ShowsTheLongestKernelsInMarkdownWithTheirMarkupEscaped) {
    const AnalysedRun run = runWithTables();
    const std::string text = markdownReport({{&run}, {}});
    EXPECT_THAT(text, testing::HasSubstr("GPU time by kernel"));
    EXPECT_THAT(text, testing::HasSubstr("gemm"));
    // A finding may show it as code, where nothing needs escaping.
    EXPECT_THAT(text.substr(text.find("GPU time by kernel")), testing::Not(testing::HasSubstr("gemm<float")));
}

TEST(TablesReport, MatchesTheSchema) {
    AnalysedRun run = sampleRun();
    const StringPool& strings = run.run->ranks[0]->strings;
    RankFacts& facts = run.facts.ranks[0];
    facts.operators.rows = {{.name = strings.find("enumerate(DataLoader)#__next__"), .calls = 1, .self_ns = 600}};
    facts.kernels.rows = {{.name = strings.find("gemm"), .work = WorkClass::Compute, .calls = 1, .busy_ns = 800}};
    facts.kernels.device_busy_ns = 800;
    EXPECT_TRUE(runJson(run)["kernels"][0]["step_ns"].is_null());
    RANKSCOPE_EXPECT_REPORT_HOLDS(jsonReport({{&run}, {}}));
}

}  // namespace
}  // namespace rankscope::test
