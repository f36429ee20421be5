// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <deque>
#include <stdexcept>

#include "core/query/sqlite_values.h"
#include "core/query/table_function.h"

namespace rankscope::query {
namespace {

constexpr double kRowsOfCall = 50;

/// A function and what it looks into, as SQLite keeps them.
struct Registered {
    const TableFunction* function;
    const FunctionContext* context;
};

struct FunctionHandle : sqlite3_vtab {
    const Registered* of = nullptr;
};

const Registered& registeredOf(sqlite3_vtab* table) {
    return *static_cast<FunctionHandle*>(table)->of;
}

/// The rows of one call.
struct FunctionCursor : sqlite3_vtab_cursor {
    std::unique_ptr<tables::Rows> rows;
    std::unique_ptr<tables::RowReader> reader;
    std::uint64_t row = 0;
    std::vector<tables::Value> arguments;  // its hidden columns
    std::deque<std::string> texts;         // that they refer to
};

FunctionCursor& callOf(sqlite3_vtab_cursor* cursor) {
    return *static_cast<FunctionCursor*>(cursor);
}

int connectFunction(sqlite3* database, void* registered, int /*argc*/, const char* const* /*argv*/, sqlite3_vtab** made,
                    char** /*why*/) {
    const auto* const of = static_cast<const Registered*>(registered);
    const int code =
        sqlite3_declare_vtab(database, declarationOf(of->function->columns, of->function->arguments).c_str());
    if (code == SQLITE_OK) {
        auto handle = std::make_unique<FunctionHandle>();
        handle->of = of;
        *made = handle.release();
    }
    return code;
}

int disconnectFunction(sqlite3_vtab* table) {
    delete static_cast<FunctionHandle*>(table);
    return SQLITE_OK;
}

/// Each argument has to be given: hidden columns behind the others, compared with a value.
int planCall(sqlite3_vtab* table, sqlite3_index_info* info) {
    return guarded(table, [&] {
        const TableFunction& function = *registeredOf(table).function;
        const int first = static_cast<int>(function.columns.size());
        bool is_later = false;
        for (int argument = 0; argument < static_cast<int>(function.arguments.size()); ++argument) {
            bool is_given = false;
            bool is_known = false;
            for (int i = 0; i < info->nConstraint && !is_known; ++i) {
                const auto& constraint = info->aConstraint[i];
                if (constraint.iColumn == first + argument && constraint.op == SQLITE_INDEX_CONSTRAINT_EQ) {
                    is_given = true;
                    is_known = constraint.usable != 0;
                    info->aConstraintUsage[i].argvIndex = is_known ? argument + 1 : 0;
                    info->aConstraintUsage[i].omit = 1;
                }
            }
            if (!is_given) {
                throw std::invalid_argument(function.words.call + " needs all of its arguments");
            }
            is_later = is_later || !is_known;
        }
        info->estimatedRows = static_cast<sqlite3_int64>(kRowsOfCall);
        info->estimatedCost = kRowsOfCall;
        return is_later ? SQLITE_CONSTRAINT : SQLITE_OK;
    });
}

int openCall(sqlite3_vtab* table, sqlite3_vtab_cursor** made) {
    return guarded(table, [&] {
        *made = new FunctionCursor();
        return SQLITE_OK;
    });
}

int closeCall(sqlite3_vtab_cursor* cursor) {
    delete &callOf(cursor);
    return SQLITE_OK;
}

int call(sqlite3_vtab_cursor* cursor, int /*number*/, const char* /*unused*/, int count, sqlite3_value** values) {
    return guarded(cursor->pVtab, [&] {
        FunctionCursor& at = callOf(cursor);
        const auto& [function, context] = registeredOf(cursor->pVtab);
        at.row = 0;
        at.reader.reset();
        at.rows.reset();
        at.arguments.clear();
        at.texts.clear();
        for (int i = 0; i < count; ++i) {
            tables::Value& argument = at.arguments.emplace_back(sqlValue(values[i]));
            if (argument.kind == tables::Value::Kind::Null) {
                return SQLITE_OK;  // no rows, as nothing equals null
            }
            if (argument.kind == tables::Value::Kind::Text) {
                argument.text = at.texts.emplace_back(argument.text);
            }
        }
        Result<std::unique_ptr<tables::Rows>> rows = function->call(*context, at.arguments);
        if (!rows.ok()) {
            throw std::runtime_error(
                fmt::format("{}: {}", function->words.call, rows.failed() ? rows.error().text() : "was cancelled"));
        }
        at.rows = std::move(rows).value();
        at.reader = at.rows->reader();
        return SQLITE_OK;
    });
}

int nextOfCall(sqlite3_vtab_cursor* cursor) {
    ++callOf(cursor).row;
    return SQLITE_OK;
}

int callAtEnd(sqlite3_vtab_cursor* cursor) {
    const FunctionCursor& at = callOf(cursor);
    return at.rows == nullptr || at.row >= at.rows->size() ? 1 : 0;
}

int cellOfCall(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int column) {
    return guarded(cursor->pVtab, [&] {
        FunctionCursor& at = callOf(cursor);
        const auto place = static_cast<std::size_t>(column);
        const std::size_t shown = registeredOf(cursor->pVtab).function->columns.size();
        if (place < shown) {
            giveResult(context, at.reader->at(at.row, place), SQLITE_TRANSIENT);
        } else if (place - shown < at.arguments.size()) {
            giveResult(context, at.arguments[place - shown], SQLITE_TRANSIENT);
        }
        return SQLITE_OK;
    });
}

int rowIdOfCall(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
    *id = static_cast<sqlite3_int64>(callOf(cursor).row);
    return SQLITE_OK;
}

/// As that of tables: without a function that creates tables it can only be called by its own name.
sqlite3_module moduleOfFunctions() {
    sqlite3_module module{};
    module.iVersion = 1;
    module.xConnect = connectFunction;
    module.xBestIndex = planCall;
    module.xDisconnect = disconnectFunction;
    module.xOpen = openCall;
    module.xClose = closeCall;
    module.xFilter = call;
    module.xNext = nextOfCall;
    module.xEof = callAtEnd;
    module.xColumn = cellOfCall;
    module.xRowid = rowIdOfCall;
    return module;
}

}  // namespace

const tables::SlicePlaces& FunctionContext::places() const {
    if (!places_) {
        places_.emplace(*runs_);
    }
    return *places_;
}

const std::vector<TableFunction>& tableFunctions() {
    static const std::vector<TableFunction> all = [] {
        std::vector<TableFunction> functions = sliceFunctions();
        for (TableFunction& function : spanFunctions()) {
            functions.push_back(std::move(function));
        }
        functions.push_back(argsFunction());
        functions.push_back(whatIfFunction());
        return functions;
    }();
    return all;
}

int addTableFunction(sqlite3* database, const TableFunction& function, const FunctionContext& context) {
    static const sqlite3_module module = moduleOfFunctions();
    return sqlite3_create_module_v2(database, function.words.name().c_str(), &module,
                                    new Registered{&function, &context},
                                    [](void* of) { delete static_cast<Registered*>(of); });
}

}  // namespace rankscope::query
