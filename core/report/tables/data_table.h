// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/ids.h"
#include "core/report/tables/table.h"

namespace rankscope::report {

/// The kind of values in a column. It decides how people see them.
enum class Unit : std::uint8_t {
    Text,
    Name,            ///< name of a file or of something in a trace: shown as code
    Word,            ///< word of a fixed vocabulary: shown as code, never broken
    Flag,            ///< true or false
    Number,          ///< an index or a number that names something: without thousands separators
    Count,           ///< a number of things
    Decimal,         ///< a plain number with decimals
    Duration,        ///< nanoseconds
    SignedDuration,  ///< a difference in nanoseconds: with a plus sign above zero
    Bytes,           ///< bytes
    Share,           ///< 0 to 1
    Ppm,             ///< parts per million
    GbPerSecond,     ///< GB/s, GB = 1e9
    Flops,           ///< floating-point operations
    OfRow            ///< a number in the unit of its row: DataTable::row_units
};

/// One column. `key` is for programs, with the unit in it: "duration_ns".
struct Column {
    std::string key;
    std::string title;  ///< for people
    Unit unit = Unit::Text;
};

/// A value, exact; monostate: not computed, or not known.
using Cell = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

/// A table of facts. The CSV files and the tables of the HTML report are written from the same tables.
struct DataTable {
    std::string name;  ///< name of its file: "steps"
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;  ///< each with one cell per column
    std::vector<Unit> row_units = {};     ///< one per row if a column has Unit::OfRow; else empty

    /// The unit of a cell: that of its column, or of its row if the column says so.
    [[nodiscard]] Unit unitOf(std::size_t row, std::size_t column) const;
    /// Only these columns, in this order; unknown keys are ignored.
    [[nodiscard]] DataTable only(const std::vector<std::string_view>& keys) const;
    /// Without the columns that are empty or zero in all rows, of those whose `key` starts with `prefix`.
    [[nodiscard]] DataTable withoutEmpty(std::string_view prefix = {}) const;
    /// Without the columns that name the runs of a comparison, for use where a heading names them.
    [[nodiscard]] DataTable withoutRuns() const;
    /// Adds the rows of a table with the same columns.
    void append(const DataTable& other);
};

/// A cell of an optional value.
template <class T>
[[nodiscard]] Cell cellOf(const std::optional<T>& value) {
    if (!value) {
        return std::monostate{};
    }
    if constexpr (std::integral<T> && !std::same_as<T, bool>) {
        return static_cast<std::int64_t>(*value);
    } else if constexpr (std::same_as<T, RankNumber>) {
        return std::int64_t{value->value};
    } else {
        return *value;
    }
}
/// A cell of an integer of any width.
[[nodiscard]] inline Cell numberCell(std::integral auto value) {
    return static_cast<std::int64_t>(value);
}
template <class Tag>
[[nodiscard]] Cell numberCell(Position<Tag> position) {
    return std::int64_t{static_cast<std::uint32_t>(position)};
}
/// A cell of a text; none if it is empty.
[[nodiscard]] Cell textCell(std::string_view text);

/// A share for people, precise if small: as formatPercent(), but below 0.1 % with two digits ("0.024 %"). "0.0 %" would
/// say nothing.
[[nodiscard]] std::string precisePercent(double share);
/// A cell for people: "1.50 ms", "28 %", "yes"; a dash for none. Shares as in precisePercent().
[[nodiscard]] std::string cellText(const Cell& cell, Unit unit);
/// A cell for programs: exact, empty for none, "true", "0.25".
[[nodiscard]] std::string cellValue(const Cell& cell);
/// The first rows for people, for a terminal and for Markdown. Long names are cut.
[[nodiscard]] Table textsOf(const DataTable& table, std::size_t rows);
/// Whether the cells of a column are numbers, to be aligned right.
[[nodiscard]] bool isNumeric(Unit unit);

}  // namespace rankscope::report
