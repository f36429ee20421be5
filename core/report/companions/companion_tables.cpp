// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/companions/companion_tables.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/report/companions/joined_companions.h"

namespace rankscope::report {
namespace {

/// The unit that the name of a column ends with.
Unit unitOf(const tables::Column& column) {
    const std::string_view name = column.name;
    switch (column.type) {
        case tables::Type::Text: return Unit::Name;
        case tables::Type::Real: return name.ends_with("share") ? Unit::Share : Unit::Decimal;
        case tables::Type::Integer: break;
    }
    return name.ends_with("unix_ns") ? Unit::Number
           : name.ends_with("_ns")   ? Unit::Duration
           : name.ends_with("bytes") ? Unit::Bytes
                                     : Unit::Number;
}

/// "process group" of "process_group", "exposed" of "exposed_ns".
std::string titleOf(std::string_view name) {
    std::string title(name.substr(0, name.size() - (name.ends_with("_ns") ? 3 : 0)));
    std::ranges::replace(title, '_', ' ');
    return title;
}

Cell cellOfValue(const tables::Value& value) {
    switch (value.kind) {
        case tables::Value::Kind::Null: break;
        case tables::Value::Kind::Integer: return value.integer;
        case tables::Value::Kind::Real: return value.real;
        case tables::Value::Kind::Text: return std::string(value.text);
    }
    return std::monostate{};
}

}  // namespace

std::vector<tables::Table> companionTables(const JobCompanions& companions) {
    const auto of = std::make_shared<JoinedCompanions>(companions);
    return {ncclCommunicatorTable(of), ncclJoinTable(of), ncclCallTable(of),   ncclSettingTable(of),
            ncclFindingTable(of),      hangRankTable(of), flightLinkTable(of), flightRecordTable(of)};
}

DataTable dataTableOf(const tables::Table& table, const tables::Runs& runs) {
    DataTable out{table.name, {}, {}};
    for (const tables::Column& column : table.columns) {
        out.columns.push_back({column.name, titleOf(column.name), unitOf(column)});
    }
    const std::unique_ptr<tables::Rows> rows = table.make(runs);
    const std::unique_ptr<tables::RowReader> reader = rows->reader();
    for (std::uint64_t row = 0; row < rows->size(); ++row) {
        std::vector<Cell>& cells = out.rows.emplace_back();
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            cells.push_back(cellOfValue(reader->at(row, column)));
        }
    }
    return out;
}

}  // namespace rankscope::report
