// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/database.h"

#include <sqlite3.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <iterator>
#include <mutex>
#include <utility>

#include "core/query/sqlite_side.h"
#include "core/query/table_function.h"
#include "core/report/companions/companion_tables.h"

namespace rankscope::query {
namespace {

using Clock = std::chrono::steady_clock;
using tables::Value;

constexpr int kLongestText = 100'000'000;  // bytes of a text that a question creates
constexpr int kLongestQuestion = 1'000'000;
constexpr int kStepsBetweenLooks = 1'000;  // instructions of SQLite's virtual machine, about ten microseconds

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

/// SQLite's memory limit while a question is answered. It applies to the whole process: of questions that overlap the
/// first sets it, and the last restores it.
class MemoryLimit {
  public:
    explicit MemoryLimit(std::uint64_t bytes) : limits_(bytes > 0) {
        if (limits_) {
            const std::lock_guard lock(shared().mutex);
            if (shared().users++ == 0) {
                shared().before =
                    sqlite3_hard_heap_limit64(static_cast<sqlite3_int64>(std::min<std::uint64_t>(bytes, INT64_MAX)));
            }
        }
    }
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;
    ~MemoryLimit() {
        if (limits_) {
            const std::lock_guard lock(shared().mutex);
            if (--shared().users == 0) {
                sqlite3_hard_heap_limit64(shared().before);
            }
        }
    }

  private:
    struct Shared {
        std::mutex mutex;
        int users = 0;
        sqlite3_int64 before = 0;
    };
    static Shared& shared() {
        static Shared one;
        return one;
    }

    bool limits_;
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

std::string orEmpty(const char* words) {
    return words == nullptr ? std::string() : words;
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
    Connection(tables::Runs runs, const JobCompanions& companions, std::vector<tables::Table> more)
        : runs_(std::move(runs)), tables_(tables::modelTables()) {
        std::ranges::move(report::companionTables(companions), std::back_inserter(tables_));
        std::ranges::move(factTables(), std::back_inserter(tables_));
        std::ranges::move(more, std::back_inserter(tables_));
    }

    [[nodiscard]] const std::vector<tables::Table>& tables() const { return tables_; }

    void renew(std::string_view table) {
        const auto at = std::ranges::find(asked_, table, [](const AskedTable& asked) { return asked.table().name; });
        if (at != asked_.end()) {
            at->renew();
        }
    }

    Result<std::uint64_t> ask(std::string_view sql, RowSink& sink, const Limits& limits, std::stop_token stop) {
        Watch watch{limits.time ? std::optional(Clock::now() + *limits.time) : std::nullopt, std::move(stop)};
        const MemoryLimit memory(limits.memory_bytes);
        if (database_ == nullptr && !open()) {
            return noMemory();
        }
        sqlite3_progress_handler(database_.get(), kStepsBetweenLooks, Watch::look, &watch);
        Result<std::uint64_t> answer = answerTo(sql, sink, watch, limits);
        sqlite3_progress_handler(database_.get(), 0, nullptr, nullptr);
        return answer;
    }

  private:
    struct Close {
        void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
    };

    static Error noMemory() { return {"query", {}, "needs more memory than it may take"}; }

    /// Makes the database with its tables and functions; false if there is no memory for it. Nothing else can fail.
    bool open() {
        sqlite3* opened = nullptr;
        const int code = sqlite3_open_v2(":memory:", &opened,
                                         SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX, nullptr);
        database_.reset(opened);
        if (code == SQLITE_OK && setUp(opened)) {
            return true;
        }
        database_.reset();
        context_.reset();
        asked_.clear();
        return false;
    }

    bool setUp(sqlite3* opened) {
        sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
        sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
        sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, kLongestText);
        sqlite3_limit(opened, SQLITE_LIMIT_SQL_LENGTH, kLongestQuestion);
        sqlite3_limit(opened, SQLITE_LIMIT_ATTACHED, 0);
        return run(opened, "PRAGMA temp_store = MEMORY") && makeTables(opened) && makeFunctions(opened) &&
               sqlite3_set_authorizer(opened, authorize, nullptr) == SQLITE_OK;
    }

    bool makeTables(sqlite3* opened) {
        return std::ranges::all_of(tables_, [&](const tables::Table& table) {
            return addTable(opened, asked_.emplace_back(table, runs_)) == SQLITE_OK && declare(opened, table.name);
        });
    }

    bool makeFunctions(sqlite3* opened) {
        const auto slices = std::ranges::find(tables_, "slice", &tables::Table::name) - tables_.begin();
        context_.emplace(runs_, asked_[static_cast<std::size_t>(slices)]);
        return addFunctions(opened, *context_) == SQLITE_OK &&
               std::ranges::all_of(tableFunctions(), [&](const TableFunction& function) {
                   return declare(opened, function.words.name());
               });
    }

    static bool run(sqlite3* opened, const std::string& sql) {
        return sqlite3_exec(opened, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
    }

    /// Makes SQLite read the columns of a table or function now: questions must not create anything.
    static bool declare(sqlite3* opened, const std::string& name) {
        return run(opened, "PRAGMA table_info(\"" + name + "\")");
    }

    [[nodiscard]] Error fault(std::string_view sql, int code, const Watch& watch, const Limits& limits) const {
        if (code == SQLITE_INTERRUPT && watch.isLate()) {
            return {"query", {}, fmt::format("took longer than {} ms", limits.time->count())};
        }
        if (code == SQLITE_NOMEM) {
            return noMemory();
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
        std::vector<Origin> origins;
        for (int column = 0; column < sqlite3_column_count(&statement); ++column) {
            titles.push_back(orEmpty(sqlite3_column_name(&statement, column)));
            origins.push_back({orEmpty(sqlite3_column_table_name(&statement, column)),
                               orEmpty(sqlite3_column_origin_name(&statement, column))});
        }
        sink.origins(origins);
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
    std::optional<FunctionContext> context_;
    std::unique_ptr<sqlite3, Close> database_;
};

Database::Database(tables::Runs runs, const JobCompanions& companions, std::vector<tables::Table> more)
    : connection_(std::make_unique<Connection>(std::move(runs), companions, std::move(more))) {}
Database::~Database() = default;

const std::vector<tables::Table>& Database::tables() const {
    return connection_->tables();
}

void Database::renew(std::string_view table) {
    connection_->renew(table);
}

Result<std::uint64_t> Database::ask(std::string_view sql, RowSink& sink, const Limits& limits, std::stop_token stop) {
    return connection_->ask(sql, sink, limits, std::move(stop));
}

}  // namespace rankscope::query
