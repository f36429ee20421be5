// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/query/database.h"
#include "core/report/tables/run_tables.h"
#include "tests/support/places.h"
#include "tests/unit/query/tables_page.h"

namespace rankscope {
namespace {

/// The keys in resources/columns.json.
std::set<std::string> keysWithAMeaning() {
    std::ifstream file(test::sourceFolder() / "resources/columns.json");
    const auto json = nlohmann::json::parse(file);
    std::set<std::string> keys;
    for (const auto& [key, meaning] : json.at("columns").items()) {
        keys.insert(key);
    }
    return keys;
}

TEST(TablesPage, EachFactHasAMeaningAndEachMeaningAFact) {
    std::set<std::string> unused = keysWithAMeaning();
    std::size_t columns = 0;
    for (const tables::Table& table : query::factTables()) {
        for (const tables::Column& column : table.columns) {
            ++columns;
            EXPECT_NE(column.meaning, "")
                << "resources/columns.json has no meaning of " << table.name << '.' << column.name;
            if (unused.erase(table.name + "." + column.name) == 0) {
                unused.erase(column.name);
                for (const std::string prefix : {"median_idle_", "median_", "cause_"}) {
                    if (column.name.starts_with(prefix)) {
                        unused.erase(column.name.substr(prefix.size()));
                    }
                }
            }
        }
    }
    EXPECT_GT(columns, 500U);
    EXPECT_EQ(unused, std::set<std::string>()) << "no column has these names";
}

/// A table of facts is listed once (report::runTableList()): that makes it a file of CSV, a table of SQL and a section
/// of the page.
TEST(TablesPage, EachListedTableOfFactsIsInCsvInSqlAndOnThePage) {
    AnalysedRun none;
    none.run = std::make_shared<const rankscope::Run>();
    const std::vector<report::DataTable> files = report::runTables(none);
    const std::vector<tables::Table> asked = query::factTables();
    const std::string page = test::pageOfTables();
    ASSERT_EQ(files.size(), report::runTableList().size());
    ASSERT_EQ(asked.size(), files.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
        EXPECT_EQ(asked[i].name, files[i].name);
        EXPECT_NE(page.find("\n## " + files[i].name + "\n"), std::string::npos) << files[i].name;
    }
}

TEST(TablesPage, IsWhatTheTablesDeclare) {
    const std::string right = test::pageOfTables();
    std::ofstream("tables.md") << right;  // to be copied to docs/
    const std::ifstream file(test::sourceFolder() / "docs/tables.md");
    std::ostringstream page;
    page << file.rdbuf();
    EXPECT_EQ(page.str(), right) << "docs/tables.md is not what the tables declare; the right one is in "
                                 << std::filesystem::current_path() / "tables.md";
}

}  // namespace
}  // namespace rankscope
