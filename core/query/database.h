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
#include "core/companions/companions.h"
#include "core/tables/table.h"

/// Read-only questions in SQL about the tables of some runs. The dialect is SQLite's.
namespace rankscope::query {

/// The limits of a question. Nothing, or 0: no limit.
struct Limits {
    std::optional<std::chrono::milliseconds> time;
    std::uint64_t memory_bytes = 0;  ///< memory of SQLite for sorting and grouping, in the whole process: of questions
                                     ///< that overlap, the limit of the first applies to all together
};

/// What a function returns.
enum class FunctionKind : std::uint8_t {
    Rows,      ///< rows: SELECT ... FROM descendants(5)
    Value,     ///< a value for each row
    Aggregate  ///< a value for the rows of a group
};
[[nodiscard]] std::string_view functionKindName(FunctionKind kind);  ///< "rows", "value" or "aggregate"

/// A function that questions can use beside those of SQLite.
struct FunctionWords {
    std::string call;     ///< "percentile(x, p)"
    std::string meaning;  ///< one line, for people
    FunctionKind kind = FunctionKind::Rows;

    /// "percentile".
    [[nodiscard]] std::string name() const { return call.substr(0, call.find('(')); }
};

/// Where a column of an answer comes from; both empty if it is computed.
struct Origin {
    std::string table;
    std::string column;
};

/// Receives the rows of an answer.
class RowSink {
  public:
    RowSink() = default;
    RowSink(const RowSink&) = delete;
    RowSink& operator=(const RowSink&) = delete;
    virtual ~RowSink() = default;
    /// Called once, first of all, with an origin for each column.
    virtual void origins(const std::vector<Origin>& /*of*/) {}
    /// Called once, before the rows, with the titles of the columns.
    virtual void begin(const std::vector<std::string>& columns) = 0;
    /// A row; its texts are valid only during the call. Returns false if no more rows are needed.
    virtual bool row(std::span<const tables::Value> cells) = 0;
};

/// All tables of some runs: those of the model, of what their jobs left next to the traces
/// (report::companionTables()), and the facts (report::runTableList()). A table is created when a question first uses
/// it, and then kept. For one thread at a time; the runs must outlive it.
class Database {
  public:
    /// `more`: further tables. The first question makes the database itself.
    explicit Database(tables::Runs runs, const JobCompanions& companions = {}, std::vector<tables::Table> more = {});
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// The tables that questions can use.
    [[nodiscard]] const std::vector<tables::Table>& tables() const;
    /// The functions that questions can use: those that return rows, then those of a row, then aggregates.
    [[nodiscard]] static const std::vector<FunctionWords>& functions();
    /// Drops the rows of a table, because what they were created from has changed; the next question creates them
    /// again.
    void renew(std::string_view table);

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
