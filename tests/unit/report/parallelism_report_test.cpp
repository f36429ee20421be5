// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/reports.h"
#include "core/report/words/summary.h"
#include "tests/support/testing.h"
#include "tests/unit/report/report_parts.h"
#include "tests/unit/report/sample_run.h"

namespace rankscope::test {
namespace {

json parallelismOf(const AnalysedRun& run) {
    return runJson(run)["parallelism"];
}

TEST(ParallelismReport, HasARoleWithItsConfidenceAndEvidenceInTheJson) {
    const json groups = parallelismOf(sampleRun())["groups"];
    ASSERT_EQ(groups.size(), 2U);
    EXPECT_EQ(groups[0]["role"], "tensor");
    EXPECT_EQ(groups[0]["confidence"], "high");
    EXPECT_EQ(groups[0]["evidence"].size(), 2U);
    EXPECT_EQ(groups[0]["operations"][0],
              json({{"kind", "all-reduce"}, {"forward", 4}, {"backward", 0}, {"elsewhere", 3}}));
    EXPECT_TRUE(groups[1]["role"].is_null());
    EXPECT_TRUE(groups[1]["confidence"].is_null()) << "no role, so no confidence in one";
    EXPECT_EQ(groups[0]["parts"], json::array());
    EXPECT_EQ(groups[1]["parts"][0]["role"], "data");
    EXPECT_EQ(groups[1]["parts"][0]["exposed_comm_ns"], 4);
    EXPECT_TRUE(groups[1]["parts"][1]["role"].is_null());
    EXPECT_EQ(groups[1]["parts"][1]["what"], "<tables>");
}

TEST(ParallelismReport, GivesTheGridAndEachRanksPlaceInIt) {
    const json parallelism = parallelismOf(sampleRun());
    EXPECT_EQ(parallelism["grid"]["dimensions"], json::array({{{"role", "tensor"}, {"size", 2}, {"stride", 1}}}));
    EXPECT_FALSE(parallelism["grid"]["complete"]);
    EXPECT_EQ(parallelism["ranks"][0]["place"], json::array({0}));
    EXPECT_EQ(parallelism["ranks"][1]["place"], json::array({nullptr})) << "null and not 0: it cannot be told";
    EXPECT_EQ(parallelism["ranks"][0]["steps"][1]["exposed_comm_ns"]["tensor"], 25);
    EXPECT_EQ(parallelism["ranks"][0]["exposed_comm_ns"]["unknown"], 5);
}

TEST(ParallelismReport, IsInTheInfoReportToo) {
    const AnalysedRun run = sampleRun();
    EXPECT_EQ(json::parse(jsonInfo({{&run}, {}}))["runs"][0]["parallelism"], parallelismOf(run));
    EXPECT_THAT(textInfo(run), AllOf(HasSubstr("mesh_tp"), HasSubstr("The job is tensor 2.")));
}

TEST(ParallelismReport, SaysTheSameInTextAndMarkdown) {
    const AnalysedRun run = sampleRun();
    for (const std::string& text : {textReport(run), markdownReport({{&run}, {}})}) {
        EXPECT_THAT(text, AllOf(HasSubstr("Parallelism"), HasSubstr("The job is tensor 2."),
                                HasSubstr("2 of 4 ranks traced"), HasSubstr("cannot tell")));
        EXPECT_THAT(text, AllOf(HasSubstr("7 all-reduces (4 in forward), 2 broadcasts"), HasSubstr("Sums of layers."),
                                HasSubstr("tp 0"), HasSubstr("25 ns")));
    }
    EXPECT_THAT(textReport(run), HasSubstr(" in part data ")) << "no role of the whole, which the grid does not claim";
}

TEST(ParallelismReport, ExplainsGroupsAlikeOnceWithTheirRanks) {
    AnalysedRun run = sampleRun();
    std::vector<GroupRole>& groups = run.facts.parallelism.groups;
    EXPECT_EQ(report::groupEvidence(run, 12).front(),
              "mesh_tp (ranks 2, 3): The name \"mesh_tp\" says tensor. Sums of layers.");
    for (std::int32_t first = 4; first < 14; first += 2) {
        groups.push_back(groups.front());
        groups.back().ranks = {RankNumber(first), RankNumber(first + 1)};
    }
    const std::vector<std::string> lines = report::groupEvidence(run, 12);
    ASSERT_EQ(lines.size(), 2U) << "and the one that is for something else";
    EXPECT_EQ(lines.front(),
              "mesh_tp, 6 groups (ranks 2, 3; ranks 4, 5; ranks 6, 7; and 3 more): The name \"mesh_tp\" says tensor. "
              "Sums of layers.");
    EXPECT_EQ(report::groupEvidence(run, 1).back(), "And 1 more group, in --json.");
}

TEST(ParallelismReport, SaysHowManyGroupsItHasNoRoomFor) {
    AnalysedRun run = sampleRun();
    run.facts.parallelism.groups.resize(15, GroupRole(run.facts.parallelism.groups.front()));
    EXPECT_THAT(textReport(run), HasSubstr("and 3 more groups, in --json\n"));
    EXPECT_THAT(markdownReport({{&run}, {}}), HasSubstr("and 3 more groups, in --json\n\n"));
}

TEST(ParallelismReport, ShowsItsTablesOnThePageWithNamesAsText) {
    const AnalysedRun run = sampleRun();
    EXPECT_THAT(htmlReport({{&run}, {}}), AllOf(HasSubstr("Role of each process group"), HasSubstr("tp 0"),
                                                HasSubstr("&lt;u&gt;"), Not(HasSubstr("<u>"))));
}

TEST(ParallelismReport, IsLeftOutOfTextsWhereThereAreNoGroups) {
    AnalysedRun run = sampleRun();
    run.facts.parallelism.groups.clear();
    EXPECT_THAT(textReport(run) + markdownReport({{&run}, {}}) + htmlReport({{&run}, {}}),
                Not(HasSubstr("Parallelism")));
}

TEST(ParallelismReport, HasATableForEachPartOfItAsCsv) {
    const AnalysedRun run = sampleRun();
    EXPECT_THAT(csvOf(run, "groups.csv"), AllOf(HasSubstr("mesh_tp,tensor,high,false,2,2 3,"),
                                                HasSubstr("The name \"\"mesh_tp\"\" says tensor. | Sums of layers.")));
    EXPECT_THAT(csvOf(run, "grid.csv"), HasSubstr(",tensor,2,1\r\n"));
    EXPECT_THAT(csvOf(run, "places.csv"), HasSubstr(",0,2,tp 0,1,0,0,0,0,25,0,0,5\r\n"));
    EXPECT_THAT(csvOf(run, "role_steps.csv"), HasSubstr(",0,2,6,0,0,0,0,25,0,0,5\r\n"));
}

}  // namespace
}  // namespace rankscope::test
