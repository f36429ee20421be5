// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/indexed_rows.h"

#include <algorithm>
#include <iterator>

namespace rankscope::tables {

const IndexedRows::Order& IndexedRows::orderOf(std::size_t column) const {
    const auto [at, is_new] = orders_.try_emplace(column);
    Order& order = at->second;
    if (!is_new) {
        return order;
    }
    std::vector<std::pair<std::int64_t, std::uint32_t>> found;
    const std::unique_ptr<RowReader> cells = reader();
    for (std::uint32_t row = 0; row < size(); ++row) {
        if (const Value cell = cells->at(row, column); cell.kind == Value::Kind::Integer) {
            found.emplace_back(cell.integer, row);
        }
    }
    std::ranges::sort(found);
    for (const auto& [number, row] : found) {
        order.values += order.numbers.empty() || order.numbers.back() != number ? 1U : 0U;
        order.numbers.push_back(number);
        order.rows.push_back(row);
    }
    return order;
}

std::optional<RowRanges> IndexedRows::find(std::size_t column, const Value& value) const {
    if (value.kind != Value::Kind::Integer) {
        return std::nullopt;
    }
    const Order& order = orderOf(column);
    const auto found = std::ranges::equal_range(order.numbers, value.integer);
    const auto first = found.begin() - order.numbers.begin();
    return RowRanges{&order.rows, {Ranges::Range(first, first + std::ranges::ssize(found))}};
}

std::uint64_t IndexedRows::rowsOfValue(std::size_t column) const {
    const Order& order = orderOf(column);
    return order.rows.size() / std::max<std::uint64_t>(1, order.values);
}

}  // namespace rankscope::tables
