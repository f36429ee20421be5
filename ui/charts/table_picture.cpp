// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/table_picture.h"

#include <QAbstractItemDelegate>
#include <QHeaderView>
#include <QPainter>
#include <QStyleOptionViewItem>
#include <QTableView>

#include "ui/theme/text_scale.h"

namespace rankscope::ui {
namespace {

void paintTitles(QPainter& painter, const QTableView& table, const Theme& theme) {
    const QHeaderView& titles = *table.horizontalHeader();
    painter.setFont(titles.font());
    painter.setPen(theme.text_dim);
    int x = 0;
    for (int column = 0; column < table.model()->columnCount(); ++column) {
        const QRect place =
            QRect(x, 0, table.columnWidth(column), titles.height()).adjusted(kCellPadding, 0, -kCellPadding, 0);
        const QVariant align = table.model()->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole);
        painter.drawText(place, align.toInt() | Qt::TextSingleLine,
                         painter.fontMetrics().elidedText(table.model()->headerData(column, Qt::Horizontal).toString(),
                                                          Qt::ElideRight, place.width()));
        x += table.columnWidth(column);
    }
}

}  // namespace

QSize pictureSize(const QTableView& table) {
    int width = 0;
    for (int column = 0; column < table.model()->columnCount(); ++column) {
        width += table.columnWidth(column);
    }
    int height = table.horizontalHeader()->height();
    for (int row = 0; row < table.model()->rowCount(); ++row) {
        height += table.rowHeight(row);
    }
    return {width, height};
}

void paintTable(QPainter& painter, const QTableView& table, const Theme& theme) {
    paintTitles(painter, table, theme);
    int y = table.horizontalHeader()->height();
    for (int row = 0; row < table.model()->rowCount(); ++row) {
        int x = 0;
        for (int column = 0; column < table.model()->columnCount(); ++column) {
            const QModelIndex index = table.model()->index(row, column);
            QStyleOptionViewItem cell;
            cell.initFrom(&table);
            cell.font = table.font();
            cell.textElideMode = Qt::ElideRight;
            cell.rect = QRect(x, y, table.columnWidth(column), table.rowHeight(row));
            table.itemDelegateForIndex(index)->paint(&painter, cell, index);
            x += table.columnWidth(column);
        }
        y += table.rowHeight(row);
    }
}

}  // namespace rankscope::ui
