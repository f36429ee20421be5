// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/report/json/parts.h"

namespace rankscope::report {

Json cellJson(const Cell& cell) {
    return std::visit(
        [](const auto& value) {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) {
                return Json(nullptr);
            } else {
                return Json(value);
            }
        },
        cell);
}

Json tableJson(const DataTable& table, std::initializer_list<std::string_view> left_out) {
    Json out = Json::array();
    for (const std::vector<Cell>& cells : table.rows) {
        Json row = Json::object();
        for (std::size_t column = 1; column < table.columns.size(); ++column) {
            const std::string& key = table.columns[column].key;
            if (std::ranges::find(left_out, key) == left_out.end()) {
                row[key] = cellJson(cells[column]);
            }
        }
        out.push_back(std::move(row));
    }
    return out;
}

}  // namespace rankscope::report
