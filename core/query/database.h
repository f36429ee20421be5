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

/// Questions in SQL, read only, over the tables of some runs. The dialect is SQLite's.
namespace rankscope::query {

/// What a question may take; nothing and 0: no limit.
struct Limits {
    std::optional<std::chrono::milliseconds> time;
    std::uint64_t memory_bytes = 0;  ///< of SQLite: sorting, grouping. Of this process: one question at a time.
};

/// Takes the rows of an answer.
class RowSink {
  public:
    RowSink() = default;
    RowSink(const RowSink&) = delete;
    RowSink& operator=(const RowSink&) = delete;
    virtual ~RowSink() = default;
    /// Called once, before the rows, with the titles of the columns.
    virtual void begin(const std::vector<std::string>& columns) = 0;
    /// A row; its texts are gone when this returns. False: no more rows are wanted.
    virtual bool row(std::span<const tables::Value> cells) = 0;
};

/// All tables of some runs: those of the model, and the facts (report::runTableList()). Nothing is made before a
/// question asks for it; it is kept then. Used by one thread at a time; the runs outlive it.
class Database {
  public:
    explicit Database(tables::Runs runs);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// What can be asked for.
    [[nodiscard]] const std::vector<tables::Table>& tables() const;

    /// Answers one SELECT, and says how many rows went into `sink`. Fails with what is wrong with the question, in
    /// words that name the column or table that was meant; where it wants more than to read; at its limits. Nothing but
    /// the runs is read or written: no other file, no extension, no pragma.
    [[nodiscard]] Result<std::uint64_t> ask(std::string_view sql, RowSink& sink, const Limits& limits = {},
                                            std::stop_token stop = {});

  private:
    class Connection;
    std::unique_ptr<Connection> connection_;
};

/// The tables of facts, as SQL has them: those of report::runTableList().
[[nodiscard]] std::vector<tables::Table> factTables();

}  // namespace rankscope::query
