// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <QTableWidgetItem>
#include <vector>

class QTableWidget;

namespace rankscope::ui {

/// A cell that is sorted by its number and shown as text.
class NumberItem : public QTableWidgetItem {
  public:
    NumberItem(const QString& shown, qint64 number);
    bool operator<(const QTableWidgetItem& other) const override;

  private:
    qint64 number_;
};

/// An empty table of sums: names in the first column, numbers at the right of the others. `name` is what it is called
/// where it is not seen.
[[nodiscard]] QTableWidget* makeSumTable(const QStringList& headers, const QString& name);

/// While this lives a table is being filled: its columns are as wide as their contents again when it ends. A table that
/// is seen would measure all cells of all such columns after each cell that is put in.
class TableFill {
    Q_DISABLE_COPY_MOVE(TableFill)

  public:
    explicit TableFill(QTableWidget& table);
    ~TableFill();

  private:
    QTableWidget& table_;
    std::vector<int> measured_;  // columns that are as wide as their contents
};

}  // namespace rankscope::ui
