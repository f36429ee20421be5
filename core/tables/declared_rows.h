// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/tables/indexed_rows.h"

// Tables whose columns say themselves where their cells come from: a column and its value are declared in one place.
namespace rankscope::tables {

/// A column of a table whose rows are places in the runs, and its cell in a row.
template <class Row>
struct DeclaredColumn {
    Column column;
    Value (*of)(const Row& row);
};

/// Texts that are made for a table, and live as long as its rows.
using KeptTexts = std::deque<std::string>;

/// The rows of a declared table: only places are stored, and cells are looked up when they are asked for.
template <class Row>
class DeclaredRows : public IndexedRows {
  public:
    explicit DeclaredRows(const std::vector<DeclaredColumn<Row>>& columns) : columns_(columns) {}

    /// Adds a row behind the others.
    void add(Row row) { rows_.push_back(std::move(row)); }

    [[nodiscard]] std::uint64_t size() const override { return rows_.size(); }
    [[nodiscard]] std::unique_ptr<RowReader> reader() const override {
        class Reader : public RowReader {
          public:
            explicit Reader(const DeclaredRows& of) : of_(of) {}
            Value at(std::uint64_t row, std::size_t column) override { return of_.columns_[column].of(of_.rows_[row]); }

          private:
            const DeclaredRows& of_;
        };
        return std::make_unique<Reader>(*this);
    }

  private:
    std::vector<DeclaredColumn<Row>> columns_;
    std::vector<Row> rows_;
};

/// A table with these columns. `add` adds its rows; whatever they refer to lives as long as the runs, or is kept by
/// `Kept`, an object that is made for the rows and lives as long as they do.
template <class Row, class Kept = KeptTexts>
[[nodiscard]] Table declaredTable(
    std::string name, std::string meaning, std::vector<DeclaredColumn<Row>> columns,
    std::type_identity_t<std::function<void(const Runs& runs, DeclaredRows<Row>& rows, Kept& kept)>> add) {
    struct RowsThatKeep : DeclaredRows<Row> {
        using DeclaredRows<Row>::DeclaredRows;
        Kept kept;
    };
    std::vector<Column> declared;
    for (const DeclaredColumn<Row>& column : columns) {
        declared.push_back(column.column);
    }
    return {std::move(name), std::move(meaning), std::move(declared),
            [columns = std::move(columns), add = std::move(add)](const Runs& runs) -> std::unique_ptr<Rows> {
                auto rows = std::make_unique<RowsThatKeep>(columns);
                add(runs, *rows, rows->kept);
                return rows;
            }};
}

}  // namespace rankscope::tables
