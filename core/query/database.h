// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tables/table.h"

/// Read-only questions in SQL about the tables of some runs. The dialect is SQLite's.
namespace rankscope::query {

/// The limits of a question; nothing and 0: no limit.
struct Limits {
    std::optional<std::chrono::milliseconds> time;
    std::uint64_t memory_bytes = 0;  ///< memory of SQLite for sorting and grouping, in the whole process: one question
                                     ///< at a time
};

/// Receives the rows of an answer.
class RowSink {
  public:
    RowSink() = default;
    RowSink(const RowSink&) = delete;
    RowSink& operator=(const RowSink&) = delete;
    virtual ~RowSink() = default;
    /// Called once, before the rows, with the titles of the columns.
    virtual void begin(const std::vector<std::string>& columns) = 0;
    /// A row; its texts are valid only during the call. Returns false if no more rows are needed.
    virtual bool row(std::span<const tables::Value> cells) = 0;
};

/// All tables of some runs: those of the model, and the facts (report::runTableList()). A table is created when a
/// question first uses it, and then kept. For one thread at a time; the runs must outlive it.
class Database {
  public:
    explicit Database(tables::Runs runs);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// The tables that questions can use.
    [[nodiscard]] const std::vector<tables::Table>& tables() const;

    /// Answers one SELECT, and returns the number of rows sent to `sink`. Fails if the question is wrong, with a
    /// message that suggests the column or table that was probably meant; if it would do more than read; and at its
    /// limits. Reads and writes nothing but the runs: no other file, no extension, no pragma.
    [[nodiscard]] Result<std::uint64_t> ask(std::string_view sql, RowSink& sink, const Limits& limits = {},
                                            std::stop_token stop = {});

  private:
    class Connection;
    std::unique_ptr<Connection> connection_;
};

/// The tables of facts for SQL: those of report::runTableList().
[[nodiscard]] std::vector<tables::Table> factTables();

}  // namespace rankscope::query
