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
    /// `exact`: as kExactRole has it, where what is shown is not it.
    NumberItem(const QString& shown, qint64 number, const QVariant& exact = {});
    bool operator<(const QTableWidgetItem& other) const override;

  private:
    qint64 number_;
};

/// An empty table of sums: names in the first column, numbers at the right of the others. `name` is what it is called
/// where it is not seen.
[[nodiscard]] QTableWidget* makeSumTable(const QStringList& headers, const QString& name);

/// Gives these columns what the others leave, and each as much as `letters` take in any case: where there is less room
/// the table scrolls sideways, and a name can still be read.
void giveRest(QTableWidget& table, const std::vector<int>& columns, int letters);

/// A cell of a length of time; its column is one of nameTimes().
[[nodiscard]] NumberItem* timeItem(qint64 ns);
/// Names the unit of columns of times where a table is copied or saved as CSV. Call it again for other titles.
void nameTimes(QTableWidget& table, const std::vector<int>& columns);

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
