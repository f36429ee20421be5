// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <ranges>
#include <string>
#include <utility>

#include "core/query/cells.h"
#include "core/query/database.h"
#include "core/report/tables/run_tables.h"
#include "core/tables/stored_rows.h"
#include "resources/columns.h"

namespace rankscope::query {
namespace {

using report::Cell;
using report::DataTable;
using report::Unit;

/// The value of a cell, whose text the rows keep.
tables::Value keptValue(const Cell& cell, tables::StoredRows& rows) {
    const auto* text = std::get_if<std::string>(&cell);
    return text == nullptr ? valueOf(cell) : tables::Value(rows.keep(*text));
}

/// resources/columns.json: what the columns of facts mean.
class Meanings {
  public:
    Meanings() {
        const auto file = nlohmann::json::parse(resources::columns);
        file.at("columns").get_to(columns_);
        file.at("prefixes").get_to(prefixes_);
    }

    /// Empty if it is not declared.
    [[nodiscard]] std::string of(const std::string& table, const std::string& column) const {
        for (const std::string& key : {fmt::format("{}.{}", table, column), column}) {
            if (const auto at = columns_.find(key); at != columns_.end()) {
                return at->second;
            }
        }
        // "median_idle_" is tried before "median_".
        for (const auto& [prefix, words] : std::views::reverse(prefixes_)) {
            const auto at = column.starts_with(prefix) ? columns_.find(column.substr(prefix.size())) : columns_.end();
            if (at != columns_.end()) {
                return words + " " + at->second;
            }
        }
        return {};
    }

  private:
    std::map<std::string, std::string> columns_;
    std::map<std::string, std::string> prefixes_;
};

using Maker = std::function<DataTable(const AnalysedRun& run)>;

std::unique_ptr<tables::Rows> rowsOf(const Maker& make, std::size_t columns, const tables::Runs& runs) {
    auto rows = std::make_unique<tables::StoredRows>(columns);
    for (const AnalysedRun* run : runs) {
        for (const std::vector<Cell>& row : make(*run).rows) {
            std::vector<tables::Value> cells;
            for (const Cell& cell : row) {
                cells.push_back(keptValue(cell, *rows));
            }
            cells.resize(columns);
            rows->add(cells);
        }
    }
    return rows;
}

}  // namespace

std::vector<tables::Table> factTables() {
    static const Meanings meanings;
    AnalysedRun none;  // the columns do not depend on the run
    none.run = std::make_shared<const Run>();
    std::vector<tables::Table> all;
    for (const report::RunTable& listed : report::runTableList()) {
        if (listed.declared != nullptr) {
            all.push_back(*listed.declared);
            continue;
        }
        const DataTable empty = listed.make(none);
        tables::Table table{empty.name, std::string(listed.title), {}, {}};
        for (const report::Column& column : empty.columns) {
            // Columns that identify a row, a rank or a step; texts cannot be looked up.
            const bool is_key = column.unit == Unit::Number;
            table.columns.push_back({column.key, typeOf(column.unit), meanings.of(empty.name, column.key),
                                     is_key ? tables::Access::Seek : tables::Access::Scan});
        }
        table.make = [make = listed.make, columns = table.columns.size()](const tables::Runs& runs) {
            return rowsOf(make, columns, runs);
        };
        all.push_back(std::move(table));
    }
    return all;
}

}  // namespace rankscope::query
