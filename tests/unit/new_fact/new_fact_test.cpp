// SPDX-License-Identifier: GPL-3.0-or-later
// A new fact is one file: new_fact.h declares a table, and nothing else names it.
#include "tests/unit/new_fact/new_fact.h"

#include "core/query/database.h"
#include "core/report/reports.h"
#include "core/report/tables/run_tables.h"
#include "tests/support/testing.h"
#include "tests/unit/query/tables_page.h"

namespace rankscope::test {
namespace {

/// A run of this many ranks, without anything in them.
AnalysedRun runOf(const std::string& name, std::size_t ranks) {
    auto run = std::make_shared<rankscope::Run>();
    run->name = name;
    for (std::size_t i = 0; i < ranks; ++i) {
        run->ranks.push_back(std::make_shared<const RankTrace>());
    }
    AnalysedRun analysed;
    analysed.run = run;
    analysed.facts.ranks.resize(ranks);
    analysed.clock.ranks.resize(ranks);
    return analysed;
}

class Answer : public query::RowSink {
  public:
    void begin(const std::vector<std::string>& /*columns*/) override {}
    bool row(std::span<const tables::Value> cells) override {
        text += std::string(cells[0].text) + "=" + std::to_string(cells[1].integer) + ";";
        return true;
    }
    std::string text;
};

TEST(ANewFact, IsAFileOfCsv) {
    const AnalysedRun a = runOf("a", 2);
    const AnalysedRun b = runOf("b", 3);
    ReportInput input;
    input.runs = {&a, &b};
    const std::vector<CsvFile> files = csvReport(input);
    const auto file = std::ranges::find(files, "ranks_of_run.csv", &CsvFile::name);
    ASSERT_NE(file, files.end());
    EXPECT_EQ(file->text, "run,counted_ranks\r\na,2\r\nb,3\r\n");
}

TEST(ANewFact, IsATableOfSql) {
    const AnalysedRun a = runOf("a", 2);
    const AnalysedRun b = runOf("b", 3);
    query::Database database({&a, &b});
    Answer answer;
    const auto rows = database.ask("SELECT run, counted_ranks FROM ranks_of_run ORDER BY run DESC", answer);
    ASSERT_TRUE(rows.ok()) << rows.error().text();
    EXPECT_EQ(answer.text, "b=3;a=2;");
}

/// `rankscope.tables()` of Python, `rankscope-cli query --tables`, agents and the page *Query* have this list.
TEST(ANewFact, IsInTheListOfTablesWithTheMeaningOfItsColumns) {
    const query::Database none({});
    const auto table = std::ranges::find(none.tables(), "ranks_of_run", &tables::Table::name);
    ASSERT_NE(table, none.tables().end());
    EXPECT_EQ(table->meaning, "One run, with the number of its ranks.");
    ASSERT_EQ(table->columns.size(), 2U);
    EXPECT_EQ(table->columns[1].meaning, "how many ranks it has");
    EXPECT_EQ(table->columns[1].type, tables::Type::Integer);
}

TEST(ANewFact, IsOnThePageOfTables) {
    EXPECT_THAT(pageOfTables(), HasSubstr("## ranks_of_run\n\nOne run, with the number of its ranks.\n"));
    EXPECT_THAT(pageOfTables(), HasSubstr("| `counted_ranks` | integer | how many ranks it has |"));
}

TEST(ANewFact, IsAmongTheTablesForPeopleWithItsTitle) {
    const auto list = report::runTableList();
    const auto table = std::ranges::find(list, "Ranks that were counted", &report::RunTable::title);
    ASSERT_NE(table, list.end());
    const AnalysedRun a = runOf("a", 2);
    const report::DataTable cells = table->make(a);
    EXPECT_EQ(cells.columns[1].title, "counted ranks");
    EXPECT_EQ(cells.rows, (std::vector<std::vector<report::Cell>>{{std::string("a"), std::int64_t{2}}}));
}

TEST(ANewFact, OfTheProgramIsThereThoughNothingRefersToIt) {
    const auto list = report::runTableList();
    EXPECT_NE(std::ranges::find(list, "Files of each rank", &report::RunTable::title), list.end());
}

}  // namespace
}  // namespace rankscope::test
