// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/digest/database.h"
#include "core/ingest/load.h"
#include "core/trace/row_source.h"

namespace rankscope::nsight {

/// An open export. All functions throw DigestFault with SQLite's reason if the database is damaged.
class Export {
  public:
    /// Opens a file, plain or packed; a packed one is unpacked into memory. Views and triggers of the file never run.
    explicit Export(const FileSource& file);
    /// The export in an open database.
    explicit Export(Database database);

    /// Whether it has a table, and a column of it. Views count for nothing.
    [[nodiscard]] bool has(std::string_view table) const;
    [[nodiscard]] bool has(std::string_view table, std::string_view column) const;
    /// The rows of a table with these columns, each null if the table does not have it; the first result column is the
    /// rowid. The table must be there.
    [[nodiscard]] Statement rows(std::string_view table, std::initializer_list<std::string_view> columns) const;
    /// The columns of a table.
    [[nodiscard]] const std::vector<std::string>& columns(std::string_view table) const;
    /// One row of a table with all its columns.
    [[nodiscard]] Statement row(std::string_view table, std::int64_t rowid) const;

    /// Reads all texts of StringIds, for text().
    void readTexts();
    /// A text that was read; empty if there is none.
    [[nodiscard]] std::string_view text(std::int64_t id) const;
    /// A text of StringIds, by a query of its own: for a single row.
    [[nodiscard]] std::string storedText(std::int64_t id) const;

  private:
    void readTables();

    Database database_;
    std::unordered_map<std::string, std::vector<std::string>> tables_;
    std::unordered_map<std::int64_t, std::string> texts_;
};

/// The process and the thread in a global id.
[[nodiscard]] constexpr std::int64_t processOf(std::int64_t global) {
    return (global >> 24) & 0xffffff;
}
[[nodiscard]] constexpr std::int64_t threadOf(std::int64_t global) {
    return global & 0xffffff;
}

}  // namespace rankscope::nsight
