// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <regex>

#include "core/base/format.h"
#include "core/compare/compare_runs.h"
#include "core/report/reports.h"
#include "core/report/tables/comparison_tables.h"
#include "core/report/words/comparison_outline.h"
#include "tests/support/analysed.h"
#include "tests/support/html_check.h"
#include "tests/support/places.h"
#include "tests/support/report_schema.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

using testing::StartsWith;

/// The two bundled runs: with and without workers in the DataLoader.
class ComparisonReport : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        runs = std::make_unique<Runs>();
        runs->a = loadAndAnalyse(test::sample("ZeroWorkers"));
        runs->b = loadAndAnalyse(test::sample("FourWorkers"));
        runs->comparison = compareRuns(runs->a, runs->b);
    }
    static void TearDownTestSuite() { runs.reset(); }

    [[nodiscard]] static ReportInput input() { return input(runs->comparison); }
    [[nodiscard]] static ReportInput input(const RunComparison& comparison) {
        return {{&runs->a, &runs->b}, {}, {{0, 1, &comparison}}};
    }
    [[nodiscard]] static report::ComparisonView view() { return {runs->a, runs->b, runs->comparison}; }

    struct Runs {
        AnalysedRun a;
        AnalysedRun b;
        RunComparison comparison;
    };
    static inline std::unique_ptr<Runs> runs;
};

TEST_F(ComparisonReport, AsJsonMatchesTheSchemaAndAddsUp) {
    const std::string text = jsonReport(input());
    const json comparison = json::parse(text)["comparisons"][0];
    for (const json* breakdown : {&comparison["breakdown"], &comparison["ranks"][2]["breakdown"]}) {
        std::int64_t sum = 0;
        for (const json& row : (*breakdown)["rows"]) {
            sum += row["difference_ns"].get<std::int64_t>();
        }
        EXPECT_EQ(sum, (*breakdown)["difference_ns"]);
        EXPECT_EQ(sum, (*breakdown)["b_step_ns"].get<std::int64_t>() - (*breakdown)["a_step_ns"].get<std::int64_t>());
    }
    EXPECT_EQ(comparison["ranks"].size(), 4U);
    EXPECT_GT(comparison["collectives"].size(), 0U);
    RANKSCOPE_EXPECT_REPORT_HOLDS(text);
}

TEST_F(ComparisonReport, AsJsonAloneIsTheEntryOfTheReport) {
    EXPECT_EQ(json::parse(jsonComparison(runs->a, runs->b, runs->comparison)),
              json::parse(jsonReport(input()))["comparisons"][0]);
}

TEST_F(ComparisonReport, BeginsWithTheAnswerOfTheScreenInEachFormat) {
    const std::string answer = outlineOf(view(), 2).answer;
    EXPECT_THAT(answer, AllOf(StartsWith("Difference of recordings: FourWorkers takes "), HasSubstr(" less per step ("),
                              HasSubstr("): the GPU no longer waits for input.")));
    EXPECT_THAT(comparisonScreen(input(), {.width = 200}), StartsWith(answer + "\n"));
    EXPECT_THAT(markdownReport(input()), StartsWith("# " + answer + "\n\n"));
    const std::string page = htmlReport(input());
    const std::string first = page.substr(page.find("<h1"), page.find("</h1>") - page.find("<h1"));
    EXPECT_THAT(first, HasSubstr("FourWorkers takes 75\u00a0% less per step (22.6\u00a0ms, was"))
        << "units stay in line";
    EXPECT_EQ(std::regex_replace(first, std::regex("\u00a0"), " "), "<h1 class=\"answer medium\">" + answer);
}

TEST_F(ComparisonReport, AsMarkdownShowsWhatChangedAndFoldsTheRest) {
    const std::string text = markdownReport(input());
    const std::string first = text.substr(0, text.find("<details>"));
    EXPECT_THAT(first, AllOf(HasSubstr("| fixed | GPU waits for input data |"), HasSubstr("| Idle: DataLoader |"),
                             HasSubstr("| Step |"), HasSubstr("One recording each: a re-run alone can do this.")));
    EXPECT_LT(std::ranges::count(first, '\n'), 30) << first;
    EXPECT_THAT(text, AllOf(HasSubstr("| resolved | GPU waits for input data |"),
                            HasSubstr("<summary>The verdict in full</summary>"),
                            HasSubstr("<summary>Where the mean step time went</summary>")));
}

TEST_F(ComparisonReport, ThePartsThatTheAnswerShowsAddUpToTheStep) {
    for (const std::size_t most : {2U, 3U, 5U, 50U}) {
        std::vector<report::ComparedPart> parts = outlineOf(view(), most).parts;
        ASSERT_GT(parts.size(), 1U);
        EXPECT_LE(parts.size(), most + 1);
        EXPECT_TRUE(parts.back().is_whole);
        const report::ComparedPart whole = parts.back();
        parts.pop_back();
        DurationNs a_ns = 0;
        DurationNs b_ns = 0;
        for (const report::ComparedPart& part : parts) {
            a_ns += part.a_ns;
            b_ns += part.b_ns;
        }
        EXPECT_EQ(a_ns, whole.a_ns) << most;
        EXPECT_EQ(b_ns, whole.b_ns) << most;
        EXPECT_TRUE(std::ranges::any_of(parts, [](const auto& part) {
            return part.title == "Exposed communication: waiting";
        })) << "what changed most is shown, however few are";
    }
}

TEST_F(ComparisonReport, FitsOnAScreenForAnyContent) {
    RunComparison long_one = runs->comparison;
    ASSERT_FALSE(long_one.findings.empty());
    long_one.findings.resize(40, FindingPair(long_one.findings.front()));
    for (int i = 0; i < 9; ++i) {
        long_one.differs.push_back({Aspect::WorldSize, Impact::Qualifies, "a value that is long",
                                    "another value that is long", "It matters."});
    }
    for (const std::size_t width : {40U, 80U, 100U}) {
        const std::string text = comparisonScreen(input(long_one), {.width = width});
        EXPECT_LE(std::ranges::count(text, '\n'), 24) << text;
        EXPECT_THAT(text, HasSubstr("more findings (--full)"));
    }
}

TEST_F(ComparisonReport, AsHtmlIsTheAnswerOnAScreenAndTheRestToUnfold) {
    const std::string page = htmlReport(input());
    const std::size_t folded = page.find("<details");
    const std::string first = page.substr(page.find("<main"), folded - page.find("<main"));
    EXPECT_THAT(first, AllOf(HasSubstr("From the mean step of A to B, part by part"), HasSubstr("Other parts"),
                             HasSubstr("class=\"change\">fixed"), HasSubstr("href=\"#run1-finding-1\""),
                             HasSubstr("One recording each: a re-run alone can do this.")));
    EXPECT_THAT(page, Not(HasSubstr("<details open")));
    for (const char* run : {"run1-", "run2-"}) {
        EXPECT_LT(page.find(std::string("<section id=\"") + run + "report\""),
                  page.find(std::string("<article id=\"") + run + "top\""))
            << "the report of a run is folded, too";
    }
    RANKSCOPE_EXPECT_HTML_HOLDS(page, jsonReport(input()));
}

TEST_F(ComparisonReport, OfSeveralRunsBeginsWithALineARun) {
    const RunComparison same = compareRuns(runs->a, runs->a);
    const ReportInput three = {{&runs->a, &runs->b, &runs->a}, {}, {{0, 1, &runs->comparison}, {0, 2, &same}}};
    EXPECT_THAT(markdownReport(three), StartsWith("| run | step | against ZeroWorkers | why |\n"));
    const std::string page = htmlReport(three);
    const std::string first = page.substr(0, page.find("<h1"));
    EXPECT_THAT(first, AllOf(HasSubstr("href=\"#comparison1-top\""), HasSubstr("href=\"#comparison2-top\""),
                             HasSubstr("against ZeroWorkers")));
    RANKSCOPE_EXPECT_HTML_HOLDS(page, jsonReport(three));
}

TEST_F(ComparisonReport, DoesNotFoldTheHealthCheckOfTwoRuns) {
    const std::string page = htmlCheck(input());
    EXPECT_THAT(page, AllOf(HasSubstr("id=\"comparison1-top\""), Not(HasSubstr("id=\"run1-report\""))));
}

TEST_F(ComparisonReport, AsTextSaysWhereTheTimeWentAndWhatChanged) {
    EXPECT_THAT(textComparison(runs->a, runs->b, runs->comparison),
                AllOf(HasSubstr("Idle: DataLoader"), HasSubstr("Kernels and copies that changed most"),
                      HasSubstr("Ranks, means over their steps"), HasSubstr("all-reduce")));
}

TEST_F(ComparisonReport, ComparesNoSavingThatOneRunCannotTell) {
    RunComparison unsure = runs->comparison;
    const auto pair = std::ranges::find(unsure.findings, FindingChange::CannotTell, &FindingPair::change);
    ASSERT_NE(pair, unsure.findings.end());
    ASSERT_TRUE(pair->b && !pair->a);
    const std::string text = textComparison(runs->a, runs->b, unsure);
    EXPECT_THAT(text, HasSubstr("unknown in A, saves " + formatDuration(pair->b_saving_ns) + " in B\n"));
    EXPECT_THAT(text, Not(HasSubstr("saves – in A")));
    const report::DataTable table = report::comparedFindingsTable({runs->a, runs->b, unsure});
    const auto column = std::ranges::find(table.columns, "difference_ns", &report::Column::key) - table.columns.begin();
    const auto row = static_cast<std::size_t>(pair - unsure.findings.begin());
    EXPECT_EQ(table.rows[row][static_cast<std::size_t>(column)], report::Cell());
}

TEST_F(ComparisonReport, SaysOnceWhatIsTheSameOnEachSide) {
    RunComparison alike = runs->comparison;
    alike.differs = {{Aspect::StepCount, Impact::Prevents, "1 step", "1 step", "Too few."},
                     {Aspect::Ranks, Impact::Qualifies, "4 ranks", "8 ranks", "It matters."}};
    const std::string text = comparisonScreen(input(alike), {.width = 100});
    EXPECT_THAT(text, HasSubstr("step count: 1 step on each side; ranks: 4 ranks and 8 ranks"));
}

TEST_F(ComparisonReport, OfTwoEqualRunsSaysThatNothingChanged) {
    const RunComparison same = compareRuns(runs->a, runs->a);
    const ReportInput twice = {{&runs->a, &runs->a}, {}, {{0, 1, &same}}};
    const std::string text = textComparison(runs->a, runs->a, same);
    EXPECT_THAT(text, AllOf(HasSubstr("Kernels and copies that changed most\n  Nothing changed.\n"),
                            HasSubstr("Operators that changed most, self time\n  Nothing changed.\n")));
    EXPECT_THAT(markdownReport(twice), HasSubstr("Kernels and copies that changed most: Nothing changed.\n"));
    EXPECT_THAT(htmlReport(twice), HasSubstr("Nothing changed."));
    EXPECT_THAT(textComparison(runs->a, runs->b, runs->comparison), Not(HasSubstr("Nothing changed.")));
}

TEST_F(ComparisonReport, HasTheTitlesOfAFindingInBothRunsWhereTheyDiffer) {
    AnalysedRun one = runs->a;
    ASSERT_FALSE(one.diagnosis.findings.empty());
    one.diagnosis.findings[0].id = FindingId::PipelineBubble;  // the same however large it is
    one.diagnosis.findings[0].title = "It takes 11 % of A";
    AnalysedRun other = one;
    other.diagnosis.findings[0].title = "It takes 28 % of B";
    const RunComparison comparison = compareRuns(one, other);
    const std::string both = "A: It takes 11 % of A; B: It takes 28 % of B";
    const ReportInput two = {{&one, &other}, {}, {{0, 1, &comparison}}};
    EXPECT_THAT(textComparison(one, other, comparison), HasSubstr("unchanged: " + both));
    EXPECT_THAT(markdownReport(two), HasSubstr("| " + both + " |"));
    EXPECT_THAT(htmlReport(two), HasSubstr(both));
    const std::string json_text = jsonReport(two);
    EXPECT_EQ(json::parse(json_text)["comparisons"][0]["findings"][0]["title"], both);
}

TEST_F(ComparisonReport, SaysHowManyRowsItHasNoRoomFor) {
    EXPECT_THAT(markdownReport(input()), AllOf(Not(HasSubstr(" more row")), HasSubstr("| Step | ")))
        << "the parts of a step add up: all are there";
    RunComparison many = runs->comparison;
    many.ranks.resize(102, RankPair(many.ranks.front()));
    const ReportInput of_many = {{&runs->a, &runs->b}, {}, {{0, 1, &many}}};
    EXPECT_THAT(markdownReport(of_many), HasSubstr("and 92 more rows, in --csv\n\n"));
    EXPECT_THAT(textComparison(runs->a, runs->b, many), HasSubstr("and 2 more rows, in --csv\n"));
    EXPECT_THAT(htmlReport(of_many), HasSubstr("The first 20 of 102 rows; all are in --csv."));
}

TEST_F(ComparisonReport, GivesCountsThatAreWholeWithoutDecimals) {
    EXPECT_THAT(textComparison(runs->a, runs->b, runs->comparison), Not(HasSubstr(".000 ")));
}

TEST_F(ComparisonReport, OfNamesListsThoseThatChanged) {
    RunComparison half = compareRuns(runs->a, runs->a);
    ASSERT_GT(half.kernels.size(), 1U);
    half.kernels.front().b.step_ns += 1'000'000;
    const std::string text = textComparison(runs->a, runs->a, half);
    const std::size_t from = text.find("Kernels and copies that changed most");
    const std::string kernels = text.substr(from, text.find("Operators that changed most") - from);
    EXPECT_THAT(kernels, AllOf(HasSubstr("+1.00 ms"), Not(HasSubstr(" 0 ns"))));
}

TEST_F(ComparisonReport, AsCsvIsATableAPart) {
    std::vector<std::string> names;
    for (const CsvFile& file : csvReport(input())) {
        names.push_back(file.name);
        if (file.name == "comparison_parts.csv") {
            EXPECT_THAT(file.text, HasSubstr("ZeroWorkers,FourWorkers,Step,"));
        }
    }
    EXPECT_THAT(names, testing::IsSupersetOf({"comparisons.csv", "comparison_kernels.csv", "comparison_ranks.csv"}));
}

TEST_F(ComparisonReport, AsHtmlShowsOneStepOfBothOnOneScale) {
    const std::string page = htmlReport(input());
    const auto picture = [&page](const std::string& title) {
        const std::size_t from = page.find("<h4>" + title);
        EXPECT_NE(from, std::string::npos) << title;
        return page.substr(from, page.find("</svg>", from) - from);
    };
    const std::string a = picture("Step 81 of A, ZeroWorkers");
    const std::string b = picture("Step 81 of B, FourWorkers");
    for (const char* rank : {"rank 0", "rank 1", "rank 2", "rank 3"}) {
        EXPECT_THAT(a, HasSubstr(rank));
        EXPECT_THAT(b, HasSubstr(rank));
    }
    EXPECT_THAT(a, HasSubstr("DataLoader, 6"));
    EXPECT_THAT(b, Not(HasSubstr("DataLoader")));
    EXPECT_THAT(b, HasSubstr("f-communication"));
    EXPECT_LT(a.size() + b.size(), 200'000U) << "what stands too close is drawn as one";
}

}  // namespace
}  // namespace rankscope::test
