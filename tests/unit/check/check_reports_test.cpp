// SPDX-License-Identifier: GPL-3.0-or-later
//
// The health check in all reports: its figures are those of the other parts.

#include "core/compare/compare_runs.h"
#include "core/report/check/check.h"
#include "core/report/reports.h"
#include "tests/support/analysed.h"
#include "tests/support/places.h"
#include "tests/support/real_traces.h"
#include "tests/support/report_schema.h"
#include "tests/support/testing.h"
#include "tests/unit/check/planted.h"

namespace rankscope::test {
namespace {

json lineOf(const json& run, const std::string& key) {
    const json& lines = run["check"]["lines"];
    const auto at = std::ranges::find_if(lines, [&key](const json& line) { return line["line"] == key; });
    return at != lines.end() ? *at : json();
}

/// The sums of the budget, worked out from the steps of the report.
void expectBudgetOfSteps(const json& run) {
    std::int64_t step = 0;
    std::int64_t exposed = 0;
    std::int64_t idle = 0;
    std::size_t count = 0;
    for (const json& one : run["steps"]) {
        for (const json& rank : one["ranks"]) {
            if (rank["idle_ns"].is_null() || !rank["complete"].get<bool>() || rank["outlier"].get<bool>()) {
                continue;
            }
            ++count;
            step += rank["compute_ns"].get<std::int64_t>() + rank["exposed_comm_ns"].get<std::int64_t>() +
                    rank["exposed_copy_ns"].get<std::int64_t>() + rank["idle_ns"].get<std::int64_t>();
            exposed += rank["exposed_comm_ns"].get<std::int64_t>();
            idle += rank["idle_ns"].get<std::int64_t>();
        }
    }
    const json& budget = run["check"]["budget"];
    ASSERT_EQ(budget.is_null(), count == 0);
    if (count > 0) {
        EXPECT_EQ(budget["rank_steps"], count);
        EXPECT_EQ(budget["step_ns"], step);
        EXPECT_EQ(budget["exposed_comm_ns"], exposed);
        EXPECT_EQ(budget["idle_ns"], idle);
        EXPECT_EQ(budget["compute_ns"].get<std::int64_t>() + budget["exposed_comm_ns"].get<std::int64_t>() +
                      budget["exposed_copy_ns"].get<std::int64_t>() + budget["idle_ns"].get<std::int64_t>(),
                  step);
    }
}

void expectFiguresOfTheReport(const json& run) {
    expectBudgetOfSteps(run);
    if (const json mfu = lineOf(run, "mfu"); !mfu["value"].is_null() && run["efficiency"]["entered"].is_null()) {
        EXPECT_EQ(mfu["value"], run["efficiency"]["mfu"]);
    }
    if (const json steps = lineOf(run, "steps"); !steps["value"].is_null()) {
        const char* const of = run["prices_of"] == "mean" ? "mean_step_ns" : "median_step_ns";
        EXPECT_EQ(steps["value"].get<std::int64_t>(), run[of].get<std::int64_t>());
    }
    for (const json& rank : run["check"]["ranks"]) {
        for (const json& late : run["stragglers"]) {
            if (late["id"] == rank["id"]) {
                EXPECT_EQ(late["z_score"], rank["z_score"]);
            }
        }
    }
    if (const json found = lineOf(run, "findings"); !found["value"].is_null()) {
        EXPECT_EQ(found["value"], run["findings"][0]["share"]);
    }
    for (const json& line : run["check"]["lines"]) {
        EXPECT_EQ(line["text"].get<std::string>().find('{'), std::string::npos) << line["text"];
        if (const json& place = line["place"]; !place.is_null() && !place["finding"].is_null()) {
            EXPECT_LT(place["finding"].get<std::size_t>(), run["findings"].size());
        }
    }
}

/// 24 lines of 100 characters.
void expectOneScreen(const std::string& text) {
    EXPECT_LE(std::ranges::count(text, '\n'), 24) << text;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(report::displayWidth(line), 100U) << line;
    }
}

void expectFiguresOfTheReports(const std::vector<std::filesystem::path>& runs) {
    for (const std::filesystem::path& path : runs) {
        SCOPED_TRACE(path.string());
        for (const AnalysedRun& run : loadAndAnalyseAll(path)) {
            expectFiguresOfTheReport(json::parse(jsonReport({{&run}, {}}))["runs"][0]);
            expectOneScreen(analysisScreen({{&run}, {}}, {}));
            expectOneScreen(checkScreen({{&run}, {}}, {}));
        }
    }
}

TEST(CheckReports, HaveTheFiguresOfTheOtherParts) {
    expectFiguresOfTheReports(corpusRuns());
}

TEST(CheckReports, OfEveryRealSetHaveTheFiguresOfTheOtherParts) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    expectFiguresOfTheReports(realRuns());
}

TEST(CheckReports, KeepToTheSchema) {
    const AnalysedRun run = plantedJob({"dataloader", "slow-kernels:ranks=1,amount=1.4"});
    const AnalysedRun later = plantedJob({});
    const RunComparison comparison = compareRuns(run, later);
    const ReportInput input{{&run, &later}, {}, {{0, 1, &comparison}}};
    RANKSCOPE_EXPECT_REPORT_HOLDS(jsonReport(input));
    const std::string checked = jsonCheck(input);
    RANKSCOPE_EXPECT_REPORT_HOLDS(checked);
    const json report = json::parse(checked);
    EXPECT_EQ(report["report"], "check");
    EXPECT_EQ(report["runs"][0]["protocol"]["steps"][4]["state"], "record");
    EXPECT_EQ(report["runs"][1]["protocol"]["steps"][4]["state"], "next");
}

TEST(CheckReports, SayTheSameInEachFormat) {
    const AnalysedRun run = plantedJob({"dataloader"});
    const ReportInput input{{&run}, {}};
    const std::string counts = report::checkCounts(report::checkOf(run));
    EXPECT_THAT(textCheck(input, 0), AllOf(HasSubstr(counts), HasSubstr("look here    Input"), HasSubstr("Protocol"),
                                           HasSubstr("Low MFU:"), HasSubstr("Each rank")));
    EXPECT_THAT(markdownCheck(input), AllOf(HasSubstr(counts), HasSubstr("look here"), HasSubstr("## Protocol")));
    EXPECT_THAT(htmlCheck(input), AllOf(HasSubstr(counts), HasSubstr("class=\"mark look\""), HasSubstr("Check lists")));
    EXPECT_THAT(textReport(run), HasSubstr("Health check: " + counts));
    EXPECT_THAT(markdownReport(input), HasSubstr("Health check: " + counts));
    EXPECT_THAT(htmlReport(input), HasSubstr(counts));
    const std::vector<CsvFile> files = csvReport(input);
    for (const char* name : {"check.csv", "check_ranks.csv", "check_lists.csv", "protocol.csv"}) {
        const auto file = std::ranges::find(files, name, &CsvFile::name);
        ASSERT_NE(file, files.end()) << name;
        EXPECT_GT(std::ranges::count(file->text, '\n'), 3) << name;
    }
}

TEST(CheckReports, HoldNothingThatATerminalObeys) {
    const AnalysedRun run = plantedJob({});
    const std::string text = textCheck({{&run}, {}}, 0);
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = text.find('\n', from);
        EXPECT_LE(end - from, 130U) << text.substr(from, end - from);
        from = end + 1;
    }
}

}  // namespace
}  // namespace rankscope::test
