// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sqlite3.h>

#include <exception>
#include <new>
#include <string>
#include <vector>

#include "core/tables/table.h"

// Values and errors between SQLite and tables.
namespace rankscope::query {

/// A value that SQLite gives; bytes are null. A text is valid as long as the value.
[[nodiscard]] tables::Value sqlValue(sqlite3_value* value);

/// Sets the result of a function or a cell. `of_text` says how long a text is valid: SQLITE_STATIC or SQLITE_TRANSIENT.
void giveResult(sqlite3_context* context, const tables::Value& value, sqlite3_destructor_type of_text);

/// The statement that declares a virtual table: its columns, and hidden ones for the arguments of a function.
[[nodiscard]] std::string declarationOf(const std::vector<tables::Column>& columns,
                                        const std::vector<tables::Column>& arguments);

/// Runs `work`; an exception becomes an SQLite error.
template <class Work>
int guarded(sqlite3_vtab* table, const Work& work) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return SQLITE_NOMEM;
    } catch (const std::exception& fault) {
        sqlite3_free(table->zErrMsg);
        table->zErrMsg = sqlite3_mprintf("%s", fault.what());
        return SQLITE_ERROR;
    }
}

}  // namespace rankscope::query
