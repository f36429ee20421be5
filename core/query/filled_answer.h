// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/query/database.h"
#include "core/tables/filled_table.h"

namespace rankscope::query {

/// Keeps an answer as columns. A column has the type of its values (tables::ColumnFiller); without any it has integers.
class FilledAnswer : public RowSink {
  public:
    void begin(const std::vector<std::string>& columns) override;
    bool row(std::span<const tables::Value> cells) override;
    /// The answer. No row can be added later.
    [[nodiscard]] std::shared_ptr<const tables::FilledTable> finish() &&;

  private:
    std::vector<tables::ColumnFiller> fillers_;
    std::uint64_t rows_ = 0;
};

}  // namespace rankscope::query
