// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"

/// Facts as tables: each is declared once, with its columns, for all code that answers questions about a run.
namespace rankscope::tables {

/// The type of the cells of a column.
enum class Type : std::uint8_t { Integer, Real, Text };

/// How the rows of a column can be found without reading each.
enum class Access : std::uint8_t {
    Scan,        ///< not at all
    Seek,        ///< the rows with one value, by Rows::find()
    SeekAndSort  ///< the rows with one value, and all in ascending order, by Rows::sortedBy()
};

/// The declaration of a column. A cell without a value is null, whatever the type.
struct Column {
    std::string name;  ///< its name in SQL, ending in the unit: "dur_ns"
    Type type = Type::Integer;
    /// One line, for people. It begins with "slice.id" if the cells are ids of the table `slice`.
    std::string meaning;
    Access access = Access::Scan;
};

/// One cell. A text is valid as long as the rows that it comes from.
struct Value {
    enum class Kind : std::uint8_t { Null, Integer, Real, Text };

    Kind kind = Kind::Null;
    std::int64_t integer = 0;
    double real = 0;
    std::string_view text = {};

    Value() = default;
    Value(std::int64_t number) : kind(Kind::Integer), integer(number) {}  // NOLINT(google-explicit-constructor)
    Value(double number) : kind(Kind::Real), real(number) {}              // NOLINT(google-explicit-constructor)
    Value(std::string_view words) : kind(Kind::Text), text(words) {}      // NOLINT(google-explicit-constructor)
    /// Null without a value.
    template <class T>
    static Value of(const std::optional<T>& value) {
        return value ? Value(static_cast<std::int64_t>(*value)) : Value();
    }
    /// Null for an empty text.
    static Value ofText(std::string_view words) { return words.empty() ? Value() : Value(words); }
};

/// Ranges of numbers: first, and one past the last. Most answers have one range, which takes no memory of its own.
class Ranges {
  public:
    using Range = std::pair<std::uint64_t, std::uint64_t>;

    Ranges() = default;
    Ranges(std::initializer_list<Range> all) {
        for (const Range& range : all) {
            add(range);
        }
    }
    /// Adds a range behind the others.
    void add(Range range) {
        if (size_++ == 0) {
            first_ = range;
        } else {
            more_.push_back(range);
        }
    }
    /// The number of ranges, empty ones included.
    [[nodiscard]] std::size_t size() const { return size_; }
    /// Whether there is no range.
    [[nodiscard]] bool empty() const { return size_ == 0; }
    /// `at` is below size().
    [[nodiscard]] Range& operator[](std::size_t at) { return at == 0 ? first_ : more_[at - 1]; }
    [[nodiscard]] const Range& operator[](std::size_t at) const { return at == 0 ? first_ : more_[at - 1]; }

  private:
    Range first_;
    std::vector<Range> more_;
    std::size_t size_ = 0;
};

/// Rows in some order: those of `order` within the ranges, or, without an order, the rows whose numbers are in the
/// ranges.
struct RowRanges {
    const std::vector<std::uint32_t>* order = nullptr;
    Ranges ranges;
};

/// The order of the rows that share a value of one column, by another column.
enum class Within : std::uint8_t {
    Unsorted,
    SortedRanges,  ///< each range of Rows::find() is in ascending order
    Sorted         ///< all of them are
};

/// Reads cells in any order. It remembers its position, so that the next row is cheap. One per thread.
class RowReader {
  public:
    RowReader() = default;
    RowReader(const RowReader&) = delete;
    RowReader& operator=(const RowReader&) = delete;
    virtual ~RowReader() = default;
    /// `row` is below Rows::size(), `column` is an index of the table's columns.
    [[nodiscard]] virtual Value at(std::uint64_t row, std::size_t column) = 0;
};

/// The rows of a table, numbered from 0. They refer to their runs. For one thread at a time: indices are created on
/// demand.
class Rows {
  public:
    Rows() = default;
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;
    virtual ~Rows() = default;
    [[nodiscard]] virtual std::uint64_t size() const = 0;
    [[nodiscard]] virtual std::unique_ptr<RowReader> reader() const = 0;
    /// The rows with this value in a column with Access::Seek or more, in ascending order. Nothing: read all rows.
    [[nodiscard]] virtual std::optional<RowRanges> find(std::size_t column, const Value& value) const;
    /// All rows with values from `least` to `most` in a column with Access::SeekAndSort, in its order; a null end is
    /// open.
    [[nodiscard]] virtual RowRanges sortedBy(std::size_t column, const Value& least, const Value& most) const;
    /// How the rows that find() returns for `column` are sorted by `by`, another column of integers.
    [[nodiscard]] virtual Within sortedWithin(std::size_t column, std::size_t by) const;
    /// Of rows that find() returned: those with `by` from `least` to `most`; a null end is open. Only if sortedWithin()
    /// is not Within::Unsorted. O(ranges x log rows).
    virtual void narrow(RowRanges& found, std::size_t by, const Value& least, const Value& most) const;
    /// About how many rows share a value of a column with Access::Seek or more; 0: fewer than one.
    [[nodiscard]] virtual std::uint64_t rowsOfValue(std::size_t column) const;
};

/// The runs that rows are created from, in the given order.
using Runs = std::vector<const AnalysedRun*>;

/// The declaration of a table.
struct Table {
    std::string name;     ///< "slice"
    std::string meaning;  ///< one line: the meaning of a row
    std::vector<Column> columns;
    std::function<std::unique_ptr<Rows>(const Runs& runs)> make;
};

/// The tables of the model itself, in core/tables/model_rows.h.
[[nodiscard]] const std::vector<Table>& modelTables();

}  // namespace rankscope::tables
