// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/report/tables/data_table.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// Which rows of a table are shown, and in which order.
struct TableOrder {
    int column = -1;  ///< to sort by; -1: the table's own order
    bool descending = true;
    QString filter;           ///< words that the first column must contain, quoted ones as one; case-insensitive
    bool everywhere = false;  ///< search all columns, as displayed
};

/// The rows of `table` for `order`. Rows without a value come last; equal ones keep the table's order.
[[nodiscard]] std::vector<std::uint32_t> rowsOf(const report::DataTable& table, const TableOrder& order);

/// By column, the indices among `rows` of `table` of the texts with most letters: measuring these gives the width of
/// the column, except for wide letters. O(cells).
[[nodiscard]] std::vector<std::vector<int>> longestTexts(const report::DataTable& table,
                                                         const std::vector<std::uint32_t>& rows);

/// A table of facts as shown. A thread sorts and filters it elsewhere.
class DataTableModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    explicit DataTableModel(const Theme& theme, QObject* parent = nullptr);

    /// Shows these rows of `table`, in this order; `rows` are indices into DataTable::rows.
    void set(std::shared_ptr<const report::DataTable> table, std::vector<std::uint32_t> rows);
    /// Uses the fonts and colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// The shown table; nullptr if there is none.
    [[nodiscard]] const std::shared_ptr<const report::DataTable>& table() const { return table_; }
    /// The text of the first column.
    [[nodiscard]] QString name(int row) const;
    /// The index in table() of a shown row.
    [[nodiscard]] std::uint32_t sourceRow(int row) const { return rows_[static_cast<std::size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// The fonts and colours in use.
    [[nodiscard]] const Theme& theme() const { return theme_; }

  protected:
    [[nodiscard]] const report::Cell& cell(int row, int column) const;

  private:
    Theme theme_;
    std::shared_ptr<const report::DataTable> table_;
    std::vector<std::uint32_t> rows_;
};

}  // namespace rankscope::ui
