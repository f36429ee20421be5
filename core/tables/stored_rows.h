// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tables/table.h"

namespace rankscope::tables {

/// The rows of a small table, stored cell by cell, written in order.
class StoredRows : public Rows {
  public:
    explicit StoredRows(std::size_t columns) : columns_(columns) {}

    /// Adds a row with a cell for each column. Texts are not copied, and must live as long as the runs.
    void add(std::initializer_list<Value> cells) { cells_.insert(cells_.end(), cells); }
    /// The same.
    void add(const std::vector<Value>& cells) { cells_.insert(cells_.end(), cells.begin(), cells.end()); }
    /// Stores a text for cells that refer to it.
    [[nodiscard]] std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }

    [[nodiscard]] std::uint64_t size() const override { return columns_ == 0 ? 0 : cells_.size() / columns_; }
    [[nodiscard]] std::unique_ptr<RowReader> reader() const override;
    /// For columns of integers. The first call for a column takes O(rows x log rows).
    [[nodiscard]] std::optional<RowRanges> find(std::size_t column, const Value& value) const override;

  private:
    [[nodiscard]] const std::vector<std::uint32_t>& orderOf(std::size_t column) const;

    std::size_t columns_;
    std::vector<Value> cells_;
    std::deque<std::string> texts_;  // a deque, so that their addresses do not change
    mutable std::map<std::size_t, std::vector<std::uint32_t>> orders_;  // by column: the rows with a number, sorted by
                                                                        // it
};

}  // namespace rankscope::tables
