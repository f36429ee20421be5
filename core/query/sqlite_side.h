// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/query/database.h"
#include "core/tables/table.h"

struct sqlite3;

// Extensions of SQLite: tables, functions, and clearer error messages.
namespace rankscope::query {

/// A table that SQLite reads: its rows are created at the first request.
class AskedTable {
  public:
    /// `table` and `runs` must outlive it.
    AskedTable(const tables::Table& table, const tables::Runs& runs) : table_(&table), runs_(&runs) {}

    /// Its declaration.
    [[nodiscard]] const tables::Table& table() const { return *table_; }
    /// Its rows, created at the first call: O(rows).
    [[nodiscard]] const tables::Rows& rows();
    /// Drops its rows: the next call of rows() creates them again.
    void renew() { rows_.reset(); }

  private:
    const tables::Table* table_;
    const tables::Runs* runs_;
    std::unique_ptr<tables::Rows> rows_;
};

/// Registers a read-only table under its name. `table` must outlive the connection. Returns an SQLite error code, or
/// SQLITE_OK.
[[nodiscard]] int addTable(sqlite3* database, AskedTable& table);

class FunctionContext;

/// Adds all functions that SQL lacks. `context` must outlive the connection. Returns an SQLite error code, or
/// SQLITE_OK.
[[nodiscard]] int addFunctions(sqlite3* database, const FunctionContext& context);

/// SQLite's error message with a suggestion of the name that was probably meant: "no column dur; did you mean dur_ns?".
[[nodiscard]] std::string complaintOf(std::string_view said, std::string_view sql,
                                      const std::vector<tables::Table>& tables);

}  // namespace rankscope::query
