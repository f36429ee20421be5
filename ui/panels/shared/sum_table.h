// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <QTableWidgetItem>
#include <QVariant>
#include <vector>

class QTableWidget;

namespace rankscope::ui {

/// A cell that is sorted by its number and shown as text.
class NumberItem : public QTableWidgetItem {
  public:
    /// `exact`: the value for kExactRole, if the displayed one is not exact.
    NumberItem(const QString& shown, qint64 number, const QVariant& exact = {});
    bool operator<(const QTableWidgetItem& other) const override;

  private:
    qint64 number_;
};

/// An empty table of sums: names in the first column, numbers aligned right in the others. `name` is its accessible
/// name.
[[nodiscard]] QTableWidget* makeSumTable(const QStringList& headers, const QString& name);

/// Gives these columns the width that the others leave, and at least the width of `letters`: with less room the table
/// scrolls sideways, and names stay readable.
void giveRest(QTableWidget& table, const std::vector<int>& columns, int letters);

/// A cell of a length of time; its column is one of nameTimes().
[[nodiscard]] NumberItem* timeItem(qint64 ns);
/// Names the unit of time columns, for copies and CSV. Call it again for other titles.
void nameTimes(QTableWidget& table, const std::vector<int>& columns);

/// While this object exists, a table is being filled: its columns adapt to their contents again when it ends. A visible
/// table would otherwise measure all cells of such columns after each new cell.
class TableFill {
    Q_DISABLE_COPY_MOVE(TableFill)

  public:
    explicit TableFill(QTableWidget& table);
    ~TableFill();

  private:
    QTableWidget& table_;
    std::vector<int> measured_;  // columns that adapt to their contents
};

}  // namespace rankscope::ui
