// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/stored_rows.h"

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

std::unique_ptr<RowReader> StoredRows::reader() const {
    return std::make_unique<StoredReader>(cells_, columns_);
}

}  // namespace rankscope::tables
