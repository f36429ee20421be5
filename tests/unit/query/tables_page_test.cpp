// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/query/database.h"
#include "tests/support/places.h"

namespace rankscope {
namespace {

std::string typeName(tables::Type type) {
    return type == tables::Type::Integer ? "integer" : type == tables::Type::Real ? "real" : "text";
}

/// docs/tables.md as the declarations have it.
std::string pageOfTables() {
    std::ostringstream page;
    page << "# Tables\n\nWhat [questions in SQL](query.md) are asked of: first the model, as it was recorded, then the "
            "facts, with\nthe columns of the CSV files. Any cell may be null: not computed, or not known. `id` is a "
            "position among the\nranks of a run, unless a table says otherwise; `_ns` are nanoseconds, from the run's "
            "first instant where they\nare a time.\n";
    const query::Database none({});
    for (const tables::Table& table : none.tables()) {
        page << "\n## " << table.name << "\n\n" << table.meaning << "\n\n| column | type | meaning |\n|---|---|---|\n";
        for (const tables::Column& column : table.columns) {
            page << "| `" << column.name << "` | " << typeName(column.type) << " | " << column.meaning << " |\n";
        }
    }
    return page.str();
}

TEST(TablesPage, IsWhatTheTablesDeclare) {
    const std::string right = pageOfTables();
    std::ofstream("tables.md") << right;  // to be copied to docs/
    std::ifstream file(test::sourceFolder() / "docs/tables.md");
    std::ostringstream page;
    page << file.rdbuf();
    EXPECT_EQ(page.str(), right) << "docs/tables.md is not what the tables declare; the right one is in "
                                 << std::filesystem::current_path() / "tables.md";
}

}  // namespace
}  // namespace rankscope
