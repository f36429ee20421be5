// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sstream>
#include <string>

#include "core/query/database.h"

namespace rankscope::test {

/// The name of a column's type on the page.
inline std::string typeName(tables::Type type) {
    return type == tables::Type::Integer ? "integer" : type == tables::Type::Real ? "real" : "text";
}

/// docs/tables.md as the declarations have it: the generator of that page.
inline std::string pageOfTables() {
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
    page << "\n## Functions\n\nBeside those of SQLite. Those that return rows are used as tables: `SELECT name FROM "
            "descendants(5)`.\n\n| function | returns | meaning |\n|---|---|---|\n";
    for (const query::FunctionWords& function : query::Database::functions()) {
        page << "| `" << function.call << "` | " << functionKindName(function.kind) << " | " << function.meaning
             << " |\n";
    }
    return page.str();
}

}  // namespace rankscope::test
