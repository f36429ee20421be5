// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/tables/table.h"

namespace rankscope::tables {

/// Rows that are found by any column of integers, through an index that is made when it is first asked for.
class IndexedRows : public Rows {
  public:
    /// For columns of integers. The first call for a column takes O(rows x log rows).
    [[nodiscard]] std::optional<RowRanges> find(std::size_t column, const Value& value) const override;
    /// The mean over its values; the same cost.
    [[nodiscard]] std::uint64_t rowsOfValue(std::size_t column) const override;

  private:
    /// The rows with a number, sorted by it.
    struct Order {
        std::vector<std::int64_t> numbers;
        std::vector<std::uint32_t> rows;
        std::uint64_t values = 0;  // how many of the numbers differ
    };
    [[nodiscard]] const Order& orderOf(std::size_t column) const;

    mutable std::map<std::size_t, Order> orders_;
};

}  // namespace rankscope::tables
