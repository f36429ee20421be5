// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/tables/table.h"

struct sqlite3;

// What SQLite has here beside its own: tables, functions, and words for what it complains of.
namespace rankscope::query {

/// A table that SQLite reads: its rows are made when they are first asked for.
class AskedTable {
  public:
    /// `table` and `runs` outlive it.
    AskedTable(const tables::Table& table, const tables::Runs& runs) : table_(&table), runs_(&runs) {}

    /// How it is declared.
    [[nodiscard]] const tables::Table& table() const { return *table_; }
    /// Its rows, made the first time: O(rows).
    [[nodiscard]] const tables::Rows& rows();

  private:
    const tables::Table* table_;
    const tables::Runs* runs_;
    std::unique_ptr<tables::Rows> rows_;
};

/// Gives SQLite a table under its name, read only. `table` outlives the connection. SQLite's code of what went wrong,
/// or SQLITE_OK.
[[nodiscard]] int addTable(sqlite3* database, AskedTable& table);

/// Adds the aggregates that SQL lacks: median(x), percentile(x, p) with p from 0 to 100 and linear interpolation,
/// stddev(x) of a sample, and union_ns(start, end), the length of the union of half-open intervals. Nulls are left out.
/// SQLite's code of what went wrong, or SQLITE_OK.
[[nodiscard]] int addFunctions(sqlite3* database);

/// What SQLite says of a question, in words that name what was probably meant: "no column dur; did you mean dur_ns?".
[[nodiscard]] std::string complaintOf(std::string_view said, std::string_view sql,
                                      const std::vector<tables::Table>& tables);

}  // namespace rankscope::query
