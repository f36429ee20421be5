// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/tables/table.h"

namespace rankscope::tables {

/// The rows of a small table, cell by cell, written from first to last.
class StoredRows : public Rows {
  public:
    explicit StoredRows(std::size_t columns) : columns_(columns) {}

    /// Adds a row, with a cell a column. Texts are referred to, and have to live as long as the runs.
    void add(std::initializer_list<Value> cells) { cells_.insert(cells_.end(), cells); }
    /// The same.
    void add(const std::vector<Value>& cells) { cells_.insert(cells_.end(), cells.begin(), cells.end()); }
    /// Keeps a text for cells that refer to it.
    [[nodiscard]] std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }

    [[nodiscard]] std::uint64_t size() const override { return columns_ == 0 ? 0 : cells_.size() / columns_; }
    [[nodiscard]] std::unique_ptr<RowReader> reader() const override;

  private:
    std::size_t columns_;
    std::vector<Value> cells_;
    std::deque<std::string> texts_;  // they stay where they are
};

}  // namespace rankscope::tables
