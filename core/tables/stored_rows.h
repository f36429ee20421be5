// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/tables/indexed_rows.h"

namespace rankscope::tables {

/// The rows of a small table, stored cell by cell, written in order.
class StoredRows : public IndexedRows {
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

  private:
    std::size_t columns_;
    std::vector<Value> cells_;
    std::deque<std::string> texts_;  // a deque, so that their addresses do not change
};

/// Some rows of another table, in any order.
class SomeRows : public Rows {
  public:
    SomeRows(std::shared_ptr<const Rows> all, std::vector<std::uint64_t> rows)
        : all_(std::move(all)), rows_(std::move(rows)) {}

    [[nodiscard]] std::uint64_t size() const override { return rows_.size(); }
    [[nodiscard]] std::unique_ptr<RowReader> reader() const override {
        return std::make_unique<Reader>(all_->reader(), rows_);
    }

  private:
    class Reader : public RowReader {
      public:
        Reader(std::unique_ptr<RowReader> all, const std::vector<std::uint64_t>& rows)
            : all_(std::move(all)), rows_(rows) {}
        Value at(std::uint64_t row, std::size_t column) override { return all_->at(rows_[row], column); }

      private:
        std::unique_ptr<RowReader> all_;
        const std::vector<std::uint64_t>& rows_;
    };

    std::shared_ptr<const Rows> all_;
    std::vector<std::uint64_t> rows_;
};

}  // namespace rankscope::tables
