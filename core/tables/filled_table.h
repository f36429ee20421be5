// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"
#include "core/tables/table.h"

namespace rankscope::tables {

/// The distinct texts of a column one after the other, in the order of their first use. Valid UTF-8.
struct TextDictionary {
    std::vector<std::int64_t> begin = {0};  ///< where each text starts in `bytes`; the last is the end
    std::string bytes;

    /// The number of texts.
    [[nodiscard]] std::size_t size() const { return begin.size() - 1; }
    /// A text by its position, which is below size().
    [[nodiscard]] std::string_view at(std::size_t text) const {
        return std::string_view(bytes).substr(static_cast<std::size_t>(begin[text]),
                                              static_cast<std::size_t>(begin[text + 1] - begin[text]));
    }
};

/// A column in memory, laid out as Apache Arrow lays it out. One of `integers`, `reals` and `codes` has a value per
/// row; in a row without one it is 0, and NaN of reals.
struct FilledColumn {
    std::string name;
    std::string meaning;  ///< one line, for people; empty if unknown
    Type type = Type::Integer;
    std::vector<std::int64_t> integers;
    std::vector<double> reals;
    std::vector<std::int32_t> codes;  ///< of Type::Text: positions in `texts`
    TextDictionary texts;
    std::vector<std::uint8_t> validity;  ///< a bit per row, the lowest first: 1 has a value. Empty without nulls
    std::int64_t nulls = 0;

    /// Whether a row has no value.
    [[nodiscard]] bool isNull(std::uint64_t row) const {
        return nulls > 0 && (static_cast<unsigned>(validity[row / 8]) >> (row % 8) & 1U) == 0;
    }
};

/// A table with all its cells. It refers to nothing, so that it outlives the runs that it is from.
struct FilledTable {
    std::vector<FilledColumn> columns;
    std::uint64_t rows = 0;
};

/// Collects the cells of a column. Without a declared type the column has that of its first value. A cell of another
/// type widens the column: integers to reals, which are exact up to 2^53, and anything to text.
class ColumnFiller {
  public:
    explicit ColumnFiller(const std::string& name, std::optional<Type> type = {}, std::string meaning = {});

    /// Adds a cell. A text is copied at its first use.
    void add(const Value& value);
    /// The column. Nothing can be added later.
    [[nodiscard]] FilledColumn finish() &&;

  private:
    [[nodiscard]] std::int32_t codeOf(std::string_view text);
    [[nodiscard]] std::string textAt(std::uint64_t row) const;
    void widenTo(Type type);

    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };

    FilledColumn column_;
    std::optional<Type> type_;
    std::uint64_t rows_ = 0;
    std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> code_of_;
};

/// All rows of a table of these runs. O(rows x columns). Cancelled soon after a stop.
[[nodiscard]] Result<std::shared_ptr<const FilledTable>> fillTable(const Table& table, const Runs& runs,
                                                                   const std::stop_token& stop = {});

}  // namespace rankscope::tables
