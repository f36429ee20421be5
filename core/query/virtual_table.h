// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/tables/table.h"

struct sqlite3;

namespace rankscope::query {

/// A table that SQLite reads: its rows are made when they are first asked for.
class AskedTable {
  public:
    /// `table` and `runs` outlive it.
    AskedTable(const tables::Table& table, const tables::Runs& runs) : table_(&table), runs_(&runs) {}

    [[nodiscard]] const tables::Table& table() const { return *table_; }
    [[nodiscard]] const tables::Rows& rows();

  private:
    const tables::Table* table_;
    const tables::Runs* runs_;
    std::unique_ptr<tables::Rows> rows_;
};

/// Gives SQLite a table under its name, read only. `table` outlives the connection. SQLite's code of what went wrong,
/// or SQLITE_OK.
[[nodiscard]] int addTable(sqlite3* database, AskedTable& table);

}  // namespace rankscope::query
