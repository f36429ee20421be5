// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/reports.h"
#include "core/report/tables/run_tables.h"
#include "tests/support/report_schema.h"
#include "tests/support/testing.h"
#include "tests/unit/report/report_parts.h"
#include "tests/unit/report/sample_run.h"

namespace rankscope::test {
namespace {

/// The sample, in which rank 2 tells its forward, and its steps are launch-bound.
AnalysedRun runWithPhases() {
    AnalysedRun run = sampleRun();
    RankPhases& phases = run.facts.ranks[0].phases;
    phases.told[Phase::Forward] = true;
    phases.told[Phase::Other] = true;
    phases.steps.resize(2);
    phases.steps[0][Phase::Forward] = {300, 600, 900};
    phases.steps[1][Phase::Forward] = {700, 800, 800};
    run.facts.verdict = {Bound::Launch, "compute 40 %, and so on.",
                         BoundShares{.compute = 0.4, .communication = 0.1, .launch = 0.45, .rest = 0.05}};
    return run;
}

json phaseOf(const AnalysedRun& run, std::size_t phase) {
    return runJson(run)["phases"][phase];
}

TEST(PhasesReport, GivesEveryStepButSumsUpSteadyOnesOnly) {
    const json forward = phaseOf(runWithPhases(), 0);
    EXPECT_EQ(forward["phase"], "forward");
    EXPECT_TRUE(forward["unknown"].is_null());
    ASSERT_EQ(forward["ranks"].size(), 1U);
    const json rank = forward["ranks"][0];
    EXPECT_EQ(rank["rank"], 2);
    EXPECT_EQ(rank["steps"][1]["host_ns"], 700);
    EXPECT_EQ(rank["steps"][0]["device_span_ns"], 900);
    EXPECT_EQ(rank["host"]["count"], 1);  // step 6 is an outlier
    EXPECT_EQ(rank["host"]["median_ns"], 300);
    EXPECT_EQ(rank["device"]["max_ns"], 600);
    EXPECT_DOUBLE_EQ(rank["device"]["share"].get<double>(), 0.4);
    EXPECT_EQ(forward["host"]["mean_ns"], 300);
}

TEST(PhasesReport, HasAVarianceWithItsUnitNextToTheStandardDeviation) {
    AnalysedRun run = runWithPhases();
    run.facts.ranks[0].steps[1].outlier = false;
    const report::DataTable table = report::phaseStatisticsTable(run);
    ASSERT_FALSE(table.rows.empty());
    const auto at = std::ranges::find(table.columns, "host_variance_ns2", &report::Column::key) - table.columns.begin();
    const auto variance = static_cast<std::size_t>(at);
    ASSERT_LT(variance, table.columns.size());
    EXPECT_EQ(table.columns[variance].title, "CPU variance in ns²");
    EXPECT_EQ(report::cellText(table.rows[0][variance], table.columns[variance].unit), "40,000");
    EXPECT_EQ(table.columns[variance - 1].title, "CPU standard deviation");
    EXPECT_EQ(report::cellText(table.rows[0][variance - 1], table.columns[variance - 1].unit), "200 ns");
}

TEST(PhasesReport, SaysWhatToRecordForAPhaseThatNoRankTells) {
    const json backward = phaseOf(runWithPhases(), 1);
    EXPECT_TRUE(backward["ranks"].empty());
    EXPECT_TRUE(backward["host"].is_null());
    EXPECT_THAT(backward["unknown"].get<std::string>(), HasSubstr("autograd"));
}

TEST(PhasesReport, HasTheVerdictWithItsRuleEverywhere) {
    const AnalysedRun run = runWithPhases();
    const json verdict = runJson(run)["verdict"];
    EXPECT_EQ(verdict["bound"], "launch-bound");
    EXPECT_EQ(verdict["rule"], "compute 40 %, and so on.");
    EXPECT_EQ(verdict["shares"]["launch"], 0.45);
    EXPECT_THAT(textReport(run), HasSubstr("Critical path: compute 40 %, and so on."));
    EXPECT_THAT(markdownReport({{&run}, {}}), HasSubstr("Critical path: compute 40 %, and so on."));
}

TEST(PhasesReport, SaysThatItCannotTellAVerdict) {
    AnalysedRun run = runWithPhases();
    run.facts.verdict = {std::nullopt, "No rank has device work.", std::nullopt};
    const json verdict = runJson(run)["verdict"];
    EXPECT_TRUE(verdict["bound"].is_null());
    EXPECT_TRUE(verdict["shares"].is_null());
    EXPECT_THAT(textReport(run), HasSubstr("Critical path: No rank has device work."));
}

TEST(PhasesReport, ShowsPeopleTheKnownPhasesOnly) {
    const AnalysedRun run = runWithPhases();
    const std::string text = textReport(run);
    EXPECT_THAT(text, HasSubstr("Phases of a step"));
    EXPECT_THAT(text, HasSubstr("forward"));
    // A time and the share beside it are different statistics: neither is the other's share.
    EXPECT_THAT(text, HasSubstr("CPU, median rank"));
    EXPECT_THAT(text, HasSubstr("of all steps"));
    EXPECT_THAT(text, testing::Not(HasSubstr("backward")));
    EXPECT_THAT(textReport(sampleRun()), testing::Not(HasSubstr("Phases of a step")));
}

TEST(PhasesReport, MatchesTheSchema) {
    const AnalysedRun run = runWithPhases();
    RANKSCOPE_EXPECT_REPORT_HOLDS(jsonReport({{&run}, {}}));
}

}  // namespace
}  // namespace rankscope::test
