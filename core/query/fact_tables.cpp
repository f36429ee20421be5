// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <utility>

#include "core/query/database.h"
#include "core/report/tables/run_tables.h"
#include "core/tables/stored_rows.h"

namespace rankscope::query {
namespace {

using report::Cell;
using report::DataTable;
using report::Unit;
using tables::Type;
using tables::Value;

Type typeOf(Unit unit) {
    switch (unit) {
        case Unit::Text:
        case Unit::Name:
        case Unit::Word: return Type::Text;
        case Unit::Decimal:
        case Unit::Share:
        case Unit::Ppm:
        case Unit::GbPerSecond:
        case Unit::Flops: return Type::Real;
        default: return Type::Integer;
    }
}

Value valueOf(const Cell& cell, tables::StoredRows& rows) {
    if (const auto* flag = std::get_if<bool>(&cell)) {
        return std::int64_t{*flag ? 1 : 0};
    }
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
        return *whole;
    }
    if (const auto* real = std::get_if<double>(&cell)) {
        return *real;
    }
    if (const auto* text = std::get_if<std::string>(&cell)) {
        return rows.keep(*text);
    }
    return {};
}

using Maker = DataTable (*)(const AnalysedRun& run);

std::unique_ptr<tables::Rows> rowsOf(Maker make, std::size_t columns, const tables::Runs& runs) {
    auto rows = std::make_unique<tables::StoredRows>(columns);
    for (const AnalysedRun* run : runs) {
        for (const std::vector<Cell>& row : make(*run).rows) {
            std::vector<Value> cells;
            for (const Cell& cell : row) {
                cells.push_back(valueOf(cell, *rows));
            }
            cells.resize(columns);
            rows->add(cells);
        }
    }
    return rows;
}

}  // namespace

std::vector<tables::Table> factTables() {
    AnalysedRun none;  // the columns do not depend on the run
    none.run = std::make_shared<const Run>();
    std::vector<tables::Table> all;
    for (const report::RunTable& listed : report::runTableList()) {
        const DataTable empty = listed.make(none);
        tables::Table table{empty.name, std::string(listed.title), {}, {}};
        for (const report::Column& column : empty.columns) {
            // Columns that identify a row, a rank or a step; texts cannot be looked up.
            const bool is_key = column.unit == Unit::Number;
            table.columns.push_back(
                {column.key, typeOf(column.unit), column.title, is_key ? tables::Access::Seek : tables::Access::Scan});
        }
        table.make = [make = listed.make, columns = table.columns.size()](const tables::Runs& runs) {
            return rowsOf(make, columns, runs);
        };
        all.push_back(std::move(table));
    }
    return all;
}

}  // namespace rankscope::query
