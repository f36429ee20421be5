// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "core/digest/column.h"

namespace rankscope {

/// The columns of one rank, by name, for writing.
class ColumnsOut {
  public:
    /// The column of this name, created if it does not exist. Its address does not change.
    [[nodiscard]] ColumnWriter& operator[](std::string_view name) {
        const auto at = columns_.find(name);
        return at != columns_.end() ? at->second : columns_.try_emplace(std::string(name)).first->second;
    }
    [[nodiscard]] const std::map<std::string, ColumnWriter, std::less<>>& all() const { return columns_; }

  private:
    std::map<std::string, ColumnWriter, std::less<>> columns_;
};

/// The columns of one rank for reading, each from its start to its end.
class ColumnsIn {
  public:
    /// `bytes` must come from ColumnWriter.
    void add(std::string name, std::string bytes);
    /// The reader of a column, at its current position. Throws DigestFault if there is none of this name.
    [[nodiscard]] ColumnReader& operator[](std::string_view name);
    /// Whether there is a column of this name: an earlier version of the program may not have written it.
    [[nodiscard]] bool has(std::string_view name) const { return columns_.find(name) != columns_.end(); }
    /// Throws DigestFault if a column was not read to its end. A column that was not requested may come from a later
    /// version.
    void expectEnds() const;

  private:
    struct Column {
        std::string bytes;
        ColumnReader reader;
        bool asked = false;
    };
    std::map<std::string, Column, std::less<>> columns_;
};

}  // namespace rankscope
