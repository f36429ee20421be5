// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QStringList>

namespace rankscope::test {

/// What stands in a column of a table, from the top.
[[nodiscard]] inline QStringList column(const QAbstractItemModel& model, int column = 0) {
    QStringList all;
    for (int row = 0; row < model.rowCount(); ++row) {
        all << model.index(row, column).data().toString();
    }
    return all;
}

/// The titles of the columns of a table.
[[nodiscard]] inline QStringList titles(const QAbstractItemModel& model) {
    QStringList all;
    for (int column = 0; column < model.columnCount(); ++column) {
        all << model.headerData(column, Qt::Horizontal).toString();
    }
    return all;
}

/// The first row whose first cell has this text; -1 where there is none.
[[nodiscard]] inline int rowOf(const QAbstractItemModel& model, const QString& first) {
    return static_cast<int>(column(model).indexOf(first));
}

}  // namespace rankscope::test
