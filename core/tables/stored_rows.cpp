// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/stored_rows.h"

#include <algorithm>

namespace rankscope::tables {
namespace {

class StoredReader : public RowReader {
  public:
    StoredReader(const std::vector<Value>& cells, std::size_t columns) : cells_(cells), columns_(columns) {}
    Value at(std::uint64_t row, std::size_t column) override { return cells_[row * columns_ + column]; }

  private:
    const std::vector<Value>& cells_;
    std::size_t columns_;
};

}  // namespace

const std::vector<std::uint32_t>& StoredRows::orderOf(std::size_t column) const {
    const auto [at, is_new] = orders_.try_emplace(column);
    std::vector<std::uint32_t>& rows = at->second;
    for (std::uint32_t row = 0; is_new && row < size(); ++row) {
        if (cells_[row * columns_ + column].kind == Value::Kind::Integer) {
            rows.push_back(row);
        }
    }
    if (is_new) {
        std::ranges::stable_sort(rows, {}, [&](std::size_t row) { return cells_[row * columns_ + column].integer; });
    }
    return rows;
}

std::optional<RowRanges> StoredRows::find(std::size_t column, const Value& value) const {
    if (value.kind != Value::Kind::Integer) {
        return std::nullopt;
    }
    const std::vector<std::uint32_t>& rows = orderOf(column);
    const auto found = std::ranges::equal_range(
        rows, value.integer, {}, [&](std::size_t row) { return cells_[row * columns_ + column].integer; });
    return RowRanges{&rows, {{found.begin() - rows.begin(), found.end() - rows.begin()}}};
}

std::unique_ptr<RowReader> StoredRows::reader() const {
    return std::make_unique<StoredReader>(cells_, columns_);
}

}  // namespace rankscope::tables
