// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/database.h"

#include <sqlite3.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <utility>

#include "core/query/sqlite_side.h"

namespace rankscope::query {
namespace {

using Clock = std::chrono::steady_clock;
using tables::Value;

constexpr int kLongestText = 100'000'000;  // bytes of a text that a question creates
constexpr int kLongestQuestion = 1'000'000;
constexpr int kStepsBetweenLooks = 1'000;  // instructions of SQLite's virtual machine: some ten microseconds

struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

/// Lets a question read tables and call functions, and nothing else.
int authorize(void* /*unused*/, int action, const char* /*a*/, const char* function, const char* /*c*/,
              const char* /*d*/) {
    switch (action) {
        case SQLITE_SELECT:
        case SQLITE_READ:
        case SQLITE_RECURSIVE: return SQLITE_OK;
        case SQLITE_FUNCTION:
            return function != nullptr && sqlite3_stricmp(function, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
        default: return SQLITE_DENY;
    }
}

/// Ends a question that is cancelled or has used its time.
struct Watch {
    std::optional<Clock::time_point> deadline;
    std::stop_token stop;

    [[nodiscard]] bool isLate() const { return deadline && Clock::now() > *deadline; }
    static int look(void* watch) {
        const auto& of = *static_cast<const Watch*>(watch);
        return of.stop.stop_requested() || of.isLate() ? 1 : 0;
    }
};

/// SQLite's memory limit, which applies to the whole process, while a question is answered.
class MemoryLimit {
  public:
    explicit MemoryLimit(std::uint64_t bytes)
        : before_(sqlite3_hard_heap_limit64(
              bytes == 0 ? -1 : static_cast<sqlite3_int64>(std::min<std::uint64_t>(bytes, INT64_MAX)))) {}
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;
    ~MemoryLimit() { sqlite3_hard_heap_limit64(before_); }

  private:
    sqlite3_int64 before_;
};

/// A cell of an answer; bytes that are not text are written as in SQL.
Value cellOf(sqlite3_stmt* statement, int column, std::deque<std::string>& kept) {
    const int type = sqlite3_column_type(statement, column);
    const bool is_sized = type == SQLITE_TEXT || type == SQLITE_BLOB;  // this would convert a number to text
    const auto bytes = static_cast<std::size_t>(is_sized ? sqlite3_column_bytes(statement, column) : 0);
    switch (type) {
        case SQLITE_INTEGER: return static_cast<std::int64_t>(sqlite3_column_int64(statement, column));
        case SQLITE_FLOAT: return sqlite3_column_double(statement, column);
        case SQLITE_TEXT:
            return std::string_view(reinterpret_cast<const char*>(sqlite3_column_text(statement, column)), bytes);
        case SQLITE_BLOB: {
            std::string hex = "x'";
            const auto* const data = static_cast<const unsigned char*>(sqlite3_column_blob(statement, column));
            for (std::size_t i = 0; i < bytes; ++i) {
                hex += fmt::format("{:02x}", data[i]);
            }
            return std::string_view(kept.emplace_back(hex + "'"));
        }
        default: return {};
    }
}

/// Whether there is nothing but blanks, semicolons and comments.
bool saysNothing(std::string_view sql) {
    while (!sql.empty()) {
        const bool is_line = sql.starts_with("--");
        if (is_line || sql.starts_with("/*")) {
            const std::size_t end = sql.find(is_line ? "\n" : "*/", 2);
            sql.remove_prefix(end == std::string_view::npos ? sql.size() : end + (is_line ? 1 : 2));
        } else if (std::isspace(static_cast<unsigned char>(sql.front())) != 0 || sql.front() == ';') {
            sql.remove_prefix(1);
        } else {
            return false;
        }
    }
    return true;
}

}  // namespace

class Database::Connection {
  public:
    explicit Connection(tables::Runs runs) : runs_(std::move(runs)), tables_(factTables()) {
        const std::vector<tables::Table>& model = tables::modelTables();
        tables_.insert(tables_.begin(), model.begin(), model.end());
        sqlite3* opened = nullptr;
        check(sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, nullptr), opened);
        check(sqlite3_exec(opened, "PRAGMA temp_store = MEMORY", nullptr, nullptr, nullptr), opened);
        sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
        sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
        sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, kLongestText);
        sqlite3_limit(opened, SQLITE_LIMIT_SQL_LENGTH, kLongestQuestion);
        sqlite3_limit(opened, SQLITE_LIMIT_ATTACHED, 0);
        check(addFunctions(opened), opened);
        for (const tables::Table& table : tables_) {
            check(addTable(opened, asked_.emplace_back(table, runs_)), opened);
            // Declares its columns now: questions must not create anything.
            const std::string declare = "PRAGMA table_info(\"" + table.name + "\")";
            check(sqlite3_exec(opened, declare.c_str(), nullptr, nullptr, nullptr), opened);
        }
        sqlite3_set_authorizer(opened, authorize, nullptr);
    }

    [[nodiscard]] const std::vector<tables::Table>& tables() const { return tables_; }

    Result<std::uint64_t> ask(std::string_view sql, RowSink& sink, const Limits& limits, std::stop_token stop) {
        Watch watch{limits.time ? std::optional(Clock::now() + *limits.time) : std::nullopt, std::move(stop)};
        const MemoryLimit memory(limits.memory_bytes);
        sqlite3_progress_handler(database_.get(), kStepsBetweenLooks, Watch::look, &watch);
        Result<std::uint64_t> answer = answerTo(sql, sink, watch, limits);
        sqlite3_progress_handler(database_.get(), 0, nullptr, nullptr);
        return answer;
    }

  private:
    struct Close {
        void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
    };

    void check(int code, sqlite3* opened) {
        if (database_ == nullptr) {
            database_.reset(opened);
        }
        if (code != SQLITE_OK) {
            throw std::bad_alloc();  // nothing else in this setup can fail
        }
    }

    [[nodiscard]] Error fault(std::string_view sql, int code, const Watch& watch, const Limits& limits) const {
        if (code == SQLITE_INTERRUPT && watch.isLate()) {
            return {"query", {}, fmt::format("took longer than {} ms", limits.time->count())};
        }
        if (code == SQLITE_NOMEM) {
            return {"query", {}, "needs more memory than it may take"};
        }
        const int offset = sqlite3_error_offset(database_.get());
        return {"query", offset < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(offset)),
                complaintOf(sqlite3_errmsg(database_.get()), sql, tables_)};
    }

    Result<std::uint64_t> answerTo(std::string_view sql, RowSink& sink, const Watch& watch, const Limits& limits) {
        if (saysNothing(sql)) {
            return Error{"query", {}, "is empty; try SELECT name, dur_ns FROM slice LIMIT 10"};
        }
        if (sql.size() > static_cast<std::size_t>(kLongestQuestion)) {
            return Error{"query", {}, fmt::format("is longer than {} bytes", kLongestQuestion)};
        }
        sqlite3_stmt* prepared = nullptr;
        const char* rest = nullptr;
        const int code =
            sqlite3_prepare_v2(database_.get(), sql.data(), static_cast<int>(sql.size()), &prepared, &rest);
        const Statement statement(prepared);
        if (code != SQLITE_OK) {
            return watch.stop.stop_requested() ? Result<std::uint64_t>(Cancelled()) : fault(sql, code, watch, limits);
        }
        if (statement == nullptr || !saysNothing(sql.substr(static_cast<std::size_t>(rest - sql.data())))) {
            return Error{"query", static_cast<std::uint64_t>(rest - sql.data()), "one SELECT at a time"};
        }
        return rowsOf(*statement, sql, sink, watch, limits);
    }

    Result<std::uint64_t> rowsOf(sqlite3_stmt& statement, std::string_view sql, RowSink& sink, const Watch& watch,
                                 const Limits& limits) {
        std::vector<std::string> titles;
        for (int column = 0; column < sqlite3_column_count(&statement); ++column) {
            const char* const title = sqlite3_column_name(&statement, column);
            titles.emplace_back(title == nullptr ? "" : title);
        }
        sink.begin(titles);
        std::vector<Value> cells(titles.size());
        std::uint64_t rows = 0;
        for (;;) {
            const int code = sqlite3_step(&statement);
            if (code == SQLITE_DONE) {
                return rows;
            }
            if (code != SQLITE_ROW) {
                return watch.stop.stop_requested() ? Result<std::uint64_t>(Cancelled())
                                                   : fault(sql, code, watch, limits);
            }
            std::deque<std::string> kept;
            for (int column = 0; column < static_cast<int>(cells.size()); ++column) {
                cells[static_cast<std::size_t>(column)] = cellOf(&statement, column, kept);
            }
            ++rows;
            if (!sink.row(cells)) {
                return rows;
            }
        }
    }

    tables::Runs runs_;
    std::vector<tables::Table> tables_;
    std::deque<AskedTable> asked_;  // a deque, so that their addresses do not change
    std::unique_ptr<sqlite3, Close> database_;
};

Database::Database(tables::Runs runs) : connection_(std::make_unique<Connection>(std::move(runs))) {}
Database::~Database() = default;

const std::vector<tables::Table>& Database::tables() const {
    return connection_->tables();
}

Result<std::uint64_t> Database::ask(std::string_view sql, RowSink& sink, const Limits& limits, std::stop_token stop) {
    return connection_->ask(sql, sink, limits, std::move(stop));
}

}  // namespace rankscope::query
