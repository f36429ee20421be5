// SPDX-License-Identifier: GPL-3.0-or-later
#include <sqlite3.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/query/sqlite_side.h"
#include "core/query/sqlite_values.h"

namespace rankscope::query {
namespace {

using tables::Access;
using tables::Column;
using tables::RowRanges;
using tables::Type;
using tables::Value;
using tables::Within;

/// How a scan finds its rows: those with a value of one column, those in the order of one column, and of these, those
/// in a range of that column or, for rows with a value, of another one.
enum Way : unsigned { kAll = 0, kOfValue = 1, kInOrder = 2, kFrom = 4, kTo = 8 };
/// The way and its columns in sqlite3_index_info::idxNum. SQLite has at most 2,000 columns in a table.
constexpr unsigned kWayBits = 4;
constexpr unsigned kColumnBits = 11;

unsigned bitsOf(unsigned number, unsigned from, unsigned count) {
    return (number >> from) & ((1U << count) - 1);
}

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
        at_ = ranges_.ranges.empty() ? 0 : ranges_.ranges[0].first;
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

Handle& handleOf(sqlite3_vtab* table) {
    return *static_cast<Handle*>(table);
}
Cursor& cursorOf(sqlite3_vtab_cursor* cursor) {
    return *static_cast<Cursor*>(cursor);
}

int connect(sqlite3* database, void* asked, int /*argc*/, const char* const* /*argv*/, sqlite3_vtab** made,
            char** /*why*/) {
    auto& of = *static_cast<AskedTable*>(asked);
    const int code = sqlite3_declare_vtab(database, declarationOf(of.table().columns, {}).c_str());
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
    std::size_t column = 0;
    std::size_t by = 0;            // the column of a range
    std::vector<int> constraints;  // in the order of the values
    double rows = 0;
    bool is_sorted = false;  // by `by`

    [[nodiscard]] int number() const {
        return static_cast<int>(way | (static_cast<unsigned>(column) << kWayBits) |
                                (static_cast<unsigned>(by) << (kWayBits + kColumnBits)));
    }
};

/// What SQLite asks of a table: constraints and an order.
class Wanted {
  public:
    Wanted(sqlite3_index_info& info, const tables::Table& table, const tables::Rows& rows)
        : info_(info), table_(table), rows_(rows) {}

    /// The best plan: rows with one value if such a value is given, and of these or of all a range; else an order.
    [[nodiscard]] Plan plan() const {
        Plan best;
        best.rows = static_cast<double>(rows_.size()) + 1;
        chooseValue(best);
        chooseRange(best, false);
        chooseRange(best, true);
        if (best.way == kAll) {
            chooseOrder(best);
        }
        return best;
    }
    /// Whether its rows come in the order that is asked for.
    [[nodiscard]] bool isInOrder(const Plan& plan) const {
        return plan.is_sorted && orderColumn() == std::optional(plan.by);
    }

  private:
    [[nodiscard]] Access accessOf(int column) const {
        return column < 0 ? Access::Scan : table_.columns[static_cast<std::size_t>(column)].access;
    }
    /// Whether a constraint compares texts by all their bytes, as Rows::find() does.
    [[nodiscard]] bool comparesBytes(int constraint) const {
        return sqlite3_stricmp(sqlite3_vtab_collation(&info_, constraint), "BINARY") == 0;
    }
    /// The one column whose ascending order is asked for.
    [[nodiscard]] std::optional<std::size_t> orderColumn() const {
        const bool is_one = info_.nOrderBy == 1 && info_.aOrderBy[0].desc == 0 && info_.aOrderBy[0].iColumn >= 0;
        return is_one ? std::optional(static_cast<std::size_t>(info_.aOrderBy[0].iColumn)) : std::nullopt;
    }

    void chooseValue(Plan& best) const {
        for (int i = 0; i < info_.nConstraint; ++i) {
            const auto& constraint = info_.aConstraint[i];
            if (constraint.usable == 0 || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ ||
                accessOf(constraint.iColumn) == Access::Scan || !comparesBytes(i)) {
                continue;
            }
            const auto column = static_cast<std::size_t>(constraint.iColumn);
            if (const auto rows = static_cast<double>(rows_.rowsOfValue(column)); rows < best.rows) {
                best = {kOfValue, column, 0, {i}, rows, false};
            }
        }
    }
    void chooseOrder(Plan& best) const {
        const std::optional<std::size_t> column = orderColumn();
        if (column && accessOf(static_cast<int>(*column)) == Access::SeekAndSort) {
            best.way = kInOrder;
            best.column = best.by = *column;
            best.is_sorted = true;
        }
    }
    /// How the rows of a plan are sorted by a column.
    [[nodiscard]] Within sortedBy(const Plan& plan, std::size_t column) const {
        if ((plan.way & kOfValue) != 0) {
            return rows_.sortedWithin(plan.column, column);
        }
        return accessOf(static_cast<int>(column)) == Access::SeekAndSort ? Within::Sorted : Within::Unsorted;
    }
    void chooseRange(Plan& best, bool upper) const {
        const std::optional<std::size_t> order = orderColumn();
        if ((best.way & kOfValue) != 0 && order && sortedBy(best, *order) == Within::Sorted) {
            best.by = *order;
            best.is_sorted = true;
        }
        for (int i = 0; i < info_.nConstraint; ++i) {
            const auto& constraint = info_.aConstraint[i];
            const auto column = static_cast<std::size_t>(constraint.iColumn);
            if (constraint.usable == 0 || constraint.iColumn < 0 || !bounds(constraint.op, upper) ||
                table_.columns[column].type != Type::Integer || !fits(best, column)) {
                continue;
            }
            if ((best.way & kOfValue) == 0) {
                best.way |= static_cast<unsigned>(kInOrder);
                best.column = column;
            }
            best.by = column;
            best.is_sorted = sortedBy({best.way & kOfValue, best.column, 0, {}, 0, false}, column) == Within::Sorted;
            best.way |= static_cast<unsigned>(upper ? kTo : kFrom);
            best.constraints.push_back(i);
            best.rows = std::max(1.0, best.rows / 4);
            return;
        }
    }
    static bool bounds(unsigned char op, bool upper) {
        return upper ? op == SQLITE_INDEX_CONSTRAINT_LT || op == SQLITE_INDEX_CONSTRAINT_LE
                     : op == SQLITE_INDEX_CONSTRAINT_GT || op == SQLITE_INDEX_CONSTRAINT_GE;
    }
    /// Whether a plan can have a range of a column.
    [[nodiscard]] bool fits(const Plan& plan, std::size_t column) const {
        const bool has_range = (plan.way & (kFrom | kTo | kInOrder)) != 0;
        const Plan found{plan.way & kOfValue, plan.column, 0, {}, 0, false};
        return has_range ? plan.by == column : sortedBy(found, column) != Within::Unsorted;
    }

    sqlite3_index_info& info_;
    const tables::Table& table_;
    const tables::Rows& rows_;
};

/// What EXPLAIN QUERY PLAN shows: "track=, range of start_ns".
char* wordsOf(const Plan& plan, const tables::Table& table) {
    const char* const by = table.columns[plan.by].name.c_str();
    const bool has_range = (plan.way & (kFrom | kTo)) != 0;
    if ((plan.way & kOfValue) != 0) {
        const char* const column = table.columns[plan.column].name.c_str();
        return has_range ? sqlite3_mprintf("%s=, range of %s", column, by) : sqlite3_mprintf("%s=", column);
    }
    return has_range                    ? sqlite3_mprintf("range of %s", by)
           : (plan.way & kInOrder) != 0 ? sqlite3_mprintf("by %s", by)
                                        : sqlite3_mprintf("all rows");
}

int bestIndex(sqlite3_vtab* table, sqlite3_index_info* info) {
    return guarded(table, [&] {
        AskedTable& asked = *handleOf(table).asked;
        const Wanted wanted(*info, asked.table(), asked.rows());
        const Plan plan = wanted.plan();
        info->idxNum = plan.number();
        info->idxStr = wordsOf(plan, asked.table());
        info->needToFreeIdxStr = 1;
        int values = 0;
        for (const int constraint : plan.constraints) {
            info->aConstraintUsage[constraint].argvIndex = ++values;
        }
        info->orderByConsumed = wanted.isInOrder(plan) ? 1 : 0;
        info->estimatedRows = std::max<sqlite3_int64>(1, static_cast<sqlite3_int64>(plan.rows));
        // SQLite leaves out what sorting costs after tables like these. So it must see that to go from parents to
        // children, which needs no sorting by a column of the parent, is cheaper than the other way.
        info->estimatedCost = plan.rows + 1;
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

/// The rows of a plan with its values.
RowRanges rowsOf(const tables::Rows& rows, unsigned number, sqlite3_value** values) {
    const unsigned way = bitsOf(number, 0, kWayBits);
    const std::size_t column = bitsOf(number, kWayBits, kColumnBits);
    const std::size_t by = bitsOf(number, kWayBits + kColumnBits, kColumnBits);
    sqlite3_value** next = values;
    std::optional<RowRanges> found;
    if ((way & kOfValue) != 0) {
        if (sqlite3_value_type(*next) == SQLITE_NULL) {
            return {};  // nothing equals null
        }
        found = rows.find(column, sqlValue(*next++));
        if (!found) {
            return {nullptr, {{0, rows.size()}}};
        }
    }
    const Value from = (way & kFrom) != 0 ? sqlValue(*next++) : Value();
    const Value to = (way & kTo) != 0 ? sqlValue(*next++) : Value();
    if (!found) {
        return (way & kInOrder) != 0 ? rows.sortedBy(column, from, to) : RowRanges{nullptr, {{0, rows.size()}}};
    }
    if ((way & (kFrom | kTo)) != 0) {
        rows.narrow(*found, by, from, to);
    }
    return *std::move(found);
}

int filter(sqlite3_vtab_cursor* cursor, int number, const char* /*unused*/, int /*count*/, sqlite3_value** values) {
    return guarded(cursor->pVtab, [&] {
        Cursor& at = cursorOf(cursor);
        at.start(rowsOf(at.rows(), static_cast<unsigned>(number), values));
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
        giveResult(context, cursorOf(cursor).cell(static_cast<std::size_t>(column)), SQLITE_STATIC);
        return SQLITE_OK;
    });
}

int rowId(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
    *id = static_cast<sqlite3_int64>(cursorOf(cursor).row());
    return SQLITE_OK;
}

/// A module without a create function: its table can be read by the module's name, and nothing can be written.
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
