// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/sqlite_side.h"

#include <sqlite3.h>

#include <algorithm>
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace rankscope::query {
namespace {

using tables::Access;
using tables::Column;
using tables::RowRanges;
using tables::Type;
using tables::Value;

/// How a scan finds its rows; the column is in the upper bits of sqlite3_index_info::idxNum.
enum Way : unsigned { kAll = 0, kOfValue = 1, kInOrder = 2, kFrom = 4, kTo = 8 };
constexpr unsigned kWayBits = 4;

struct Handle : sqlite3_vtab {
    AskedTable* asked = nullptr;
};

/// The position of a scan.
class Cursor : public sqlite3_vtab_cursor {
  public:
    explicit Cursor(const tables::Rows& rows) : sqlite3_vtab_cursor(), rows_(rows), reader_(rows.reader()) {}

    void start(RowRanges ranges) {
        ranges_ = std::move(ranges);
        range_ = 0;
        at_ = ranges_.ranges.empty() ? 0 : ranges_.ranges.front().first;
        skipEmpty();
    }
    void next() {
        ++at_;
        skipEmpty();
    }
    [[nodiscard]] bool atEnd() const { return range_ == ranges_.ranges.size(); }
    [[nodiscard]] std::uint64_t row() const { return ranges_.order == nullptr ? at_ : (*ranges_.order)[at_]; }
    [[nodiscard]] Value cell(std::size_t column) { return reader_->at(row(), column); }
    [[nodiscard]] const tables::Rows& rows() const { return rows_; }

  private:
    void skipEmpty() {
        while (range_ < ranges_.ranges.size() && at_ >= ranges_.ranges[range_].second) {
            ++range_;
            at_ = range_ < ranges_.ranges.size() ? ranges_.ranges[range_].first : 0;
        }
    }

    const tables::Rows& rows_;
    std::unique_ptr<tables::RowReader> reader_;
    RowRanges ranges_;
    std::size_t range_ = 0;
    std::uint64_t at_ = 0;
};

/// Runs `work`; an exception becomes an SQLite error.
template <class Work>
int guarded(sqlite3_vtab* table, const Work& work) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return SQLITE_NOMEM;
    } catch (const std::exception& fault) {
        sqlite3_free(table->zErrMsg);
        table->zErrMsg = sqlite3_mprintf("%s", fault.what());
        return SQLITE_ERROR;
    }
}

Handle& handleOf(sqlite3_vtab* table) {
    return *static_cast<Handle*>(table);
}
Cursor& cursorOf(sqlite3_vtab_cursor* cursor) {
    return *static_cast<Cursor*>(cursor);
}

std::string declaration(const tables::Table& table) {
    std::string out = "CREATE TABLE x(";
    for (const Column& column : table.columns) {
        out += (out.back() == '(' ? "\"" : ", \"") + column.name + '"';
        out += column.type == Type::Integer ? " INTEGER" : column.type == Type::Real ? " REAL" : " TEXT";
    }
    return out + ")";
}

int connect(sqlite3* database, void* asked, int /*argc*/, const char* const* /*argv*/, sqlite3_vtab** made,
            char** /*why*/) {
    auto& of = *static_cast<AskedTable*>(asked);
    const int code = sqlite3_declare_vtab(database, declaration(of.table()).c_str());
    if (code == SQLITE_OK) {
        auto handle = std::make_unique<Handle>();
        handle->asked = &of;
        *made = handle.release();
    }
    return code;
}

int disconnect(sqlite3_vtab* table) {
    delete &handleOf(table);
    return SQLITE_OK;
}

/// A plan for one scan: the way to find rows, and the constraints that its values come from.
struct Plan {
    unsigned way = kAll;
    int column = 0;
    std::vector<int> constraints;  // in the order of the values
    double rows = 0;
};

/// Whether a constraint compares texts by all their bytes, as Rows::find() does.
bool comparesBytes(sqlite3_index_info& info, int constraint) {
    return sqlite3_stricmp(sqlite3_vtab_collation(&info, constraint), "BINARY") == 0;
}

/// The best plan: rows with one value if such a value is given, else an order or a range of it, else all.
Plan planFor(sqlite3_index_info& info, const tables::Table& table, const tables::Rows& rows) {
    Plan best;
    best.rows = static_cast<double>(rows.size()) + 1;
    const auto access_of = [&](int column) {
        return column < 0 ? Access::Scan : table.columns[static_cast<std::size_t>(column)].access;
    };
    for (int i = 0; i < info.nConstraint; ++i) {
        const auto& constraint = info.aConstraint[i];
        if (constraint.usable == 0 || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ ||
            access_of(constraint.iColumn) == Access::Scan || !comparesBytes(info, i)) {
            continue;
        }
        const auto of_value = static_cast<double>(rows.rowsOfValue(static_cast<std::size_t>(constraint.iColumn)));
        if (of_value < best.rows) {
            best = {kOfValue, constraint.iColumn, {i}, of_value};
        }
    }
    if (best.way != kAll) {
        return best;
    }
    const bool ordered =
        info.nOrderBy == 1 && info.aOrderBy[0].desc == 0 && access_of(info.aOrderBy[0].iColumn) == Access::SeekAndSort;
    if (ordered) {
        best.way = kInOrder;
        best.column = info.aOrderBy[0].iColumn;
    }
    for (const bool upper : {false, true}) {
        for (int i = 0; i < info.nConstraint; ++i) {
            const auto& constraint = info.aConstraint[i];
            const bool fits =
                upper ? constraint.op == SQLITE_INDEX_CONSTRAINT_LT || constraint.op == SQLITE_INDEX_CONSTRAINT_LE
                      : constraint.op == SQLITE_INDEX_CONSTRAINT_GT || constraint.op == SQLITE_INDEX_CONSTRAINT_GE;
            const bool usable = constraint.usable != 0 && fits &&
                                access_of(constraint.iColumn) == Access::SeekAndSort &&
                                table.columns[static_cast<std::size_t>(constraint.iColumn)].type == Type::Integer &&
                                (best.way == kAll || best.column == constraint.iColumn);
            if (usable) {
                best.way |= static_cast<unsigned>(kInOrder) | static_cast<unsigned>(upper ? kTo : kFrom);
                best.column = constraint.iColumn;
                best.constraints.push_back(i);
                best.rows /= 4;
                break;
            }
        }
    }
    return best;
}

int bestIndex(sqlite3_vtab* table, sqlite3_index_info* info) {
    return guarded(table, [&] {
        AskedTable& asked = *handleOf(table).asked;
        const Plan plan = planFor(*info, asked.table(), asked.rows());
        info->idxNum = static_cast<int>((static_cast<unsigned>(plan.column) << kWayBits) | plan.way);
        int values = 0;
        for (const int constraint : plan.constraints) {
            info->aConstraintUsage[constraint].argvIndex = ++values;
        }
        const bool ordered = info->nOrderBy == 1 && info->aOrderBy[0].desc == 0 &&
                             info->aOrderBy[0].iColumn == plan.column && (plan.way & kInOrder) != 0;
        info->orderByConsumed = ordered ? 1 : 0;
        info->estimatedRows = static_cast<sqlite3_int64>(plan.rows);
        info->estimatedCost = plan.rows;
        return SQLITE_OK;
    });
}

int open(sqlite3_vtab* table, sqlite3_vtab_cursor** made) {
    return guarded(table, [&] {
        *made = new Cursor(handleOf(table).asked->rows());
        return SQLITE_OK;
    });
}

int close(sqlite3_vtab_cursor* cursor) {
    delete &cursorOf(cursor);
    return SQLITE_OK;
}

Value valueOf(sqlite3_value* value) {
    switch (sqlite3_value_type(value)) {
        case SQLITE_INTEGER: return static_cast<std::int64_t>(sqlite3_value_int64(value));
        case SQLITE_FLOAT: return sqlite3_value_double(value);
        case SQLITE_TEXT: {
            const auto* const text = reinterpret_cast<const char*>(sqlite3_value_text(value));
            return std::string_view(text, static_cast<std::size_t>(sqlite3_value_bytes(value)));
        }
        default: return {};
    }
}

int filter(sqlite3_vtab_cursor* cursor, int number, const char* /*unused*/, int /*count*/, sqlite3_value** values) {
    return guarded(cursor->pVtab, [&] {
        Cursor& at = cursorOf(cursor);
        const auto column = static_cast<std::size_t>(static_cast<unsigned>(number) >> kWayBits);
        const unsigned way = static_cast<unsigned>(number) & ((1U << kWayBits) - 1);
        RowRanges all{nullptr, {{0, at.rows().size()}}};
        if (way == kOfValue && sqlite3_value_type(values[0]) == SQLITE_NULL) {
            at.start({});  // nothing equals null
        } else if (way == kOfValue) {
            at.start(at.rows().find(column, valueOf(values[0])).value_or(std::move(all)));
        } else if ((way & kInOrder) != 0) {
            const Value from = (way & kFrom) != 0 ? valueOf(values[0]) : Value();
            const Value to = (way & kTo) != 0 ? valueOf(values[(way & kFrom) != 0 ? 1 : 0]) : Value();
            at.start(at.rows().sortedBy(column, from, to));
        } else {
            at.start(std::move(all));
        }
        return SQLITE_OK;
    });
}

int next(sqlite3_vtab_cursor* cursor) {
    cursorOf(cursor).next();
    return SQLITE_OK;
}

int atEnd(sqlite3_vtab_cursor* cursor) {
    return cursorOf(cursor).atEnd() ? 1 : 0;
}

int cell(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int column) {
    return guarded(cursor->pVtab, [&] {
        const Value value = cursorOf(cursor).cell(static_cast<std::size_t>(column));
        switch (value.kind) {
            case Value::Kind::Null: sqlite3_result_null(context); break;
            case Value::Kind::Integer: sqlite3_result_int64(context, value.integer); break;
            case Value::Kind::Real: sqlite3_result_double(context, value.real); break;
            case Value::Kind::Text:  // it is valid as long as the table's rows
                sqlite3_result_text64(context, value.text.data() == nullptr ? "" : value.text.data(), value.text.size(),
                                      SQLITE_STATIC, SQLITE_UTF8);
                break;
        }
        return SQLITE_OK;
    });
}

int rowId(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
    *id = static_cast<sqlite3_int64>(cursorOf(cursor).row());
    return SQLITE_OK;
}

/// A module without a function that creates tables can be read by its own name, and nothing can be written.
sqlite3_module makeModule() {
    sqlite3_module module{};
    module.iVersion = 1;
    module.xConnect = connect;
    module.xBestIndex = bestIndex;
    module.xDisconnect = disconnect;
    module.xOpen = open;
    module.xClose = close;
    module.xFilter = filter;
    module.xNext = next;
    module.xEof = atEnd;
    module.xColumn = cell;
    module.xRowid = rowId;
    return module;
}

}  // namespace

const tables::Rows& AskedTable::rows() {
    if (rows_ == nullptr) {
        rows_ = table_->make(*runs_);
    }
    return *rows_;
}

int addTable(sqlite3* database, AskedTable& table) {
    static const sqlite3_module module = makeModule();
    return sqlite3_create_module_v2(database, table.table().name.c_str(), &module, &table, nullptr);
}

}  // namespace rankscope::query
