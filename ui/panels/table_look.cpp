// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/table_look.h"

#include <QClipboard>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHeaderView>
#include <QTableView>
#include <algorithm>

#include "ui/panels/cell_delegate.h"
#include "ui/panels/table_menu.h"

namespace rankscope::ui {

void dressTable(QTableView& table) {
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setItemDelegate(new CellDelegate(&table));
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false);
    const int height = std::max(26, table.fontMetrics().height() + 10);
    table.verticalHeader()->hide();
    table.verticalHeader()->setMinimumSectionSize(height);
    table.verticalHeader()->setDefaultSectionSize(height);
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table.horizontalHeader()->setHighlightSections(false);
    dressTitles(*table.horizontalHeader());
    table.horizontalHeader()->setStretchLastSection(true);
    table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    addTableMenu(table);
}

void dressTitles(QHeaderView& titles) {
    titles.setTextElideMode(Qt::ElideRight);
}

void widenToTitles(QTableView& table) {
    QHeaderView& titles = *table.horizontalHeader();
    for (int column = 0; column < titles.count(); ++column) {
        const int wanted = titles.sectionSizeHint(column);
        if (titles.sectionResizeMode(column) == QHeaderView::Interactive && titles.sectionSize(column) < wanted) {
            titles.resizeSection(column, wanted);
        }
    }
}

void copySelection(const QTableView& table) {
    const QAbstractItemModel& model = *table.model();
    QList<int> columns;
    QStringList titles;
    for (int column = 0; column < model.columnCount(); ++column) {
        if (!table.isColumnHidden(column)) {
            columns.append(column);
            titles.append(model.headerData(column, Qt::Horizontal).toString());
        }
    }
    QModelIndexList rows = table.selectionModel()->selectedRows();
    if (rows.isEmpty()) {
        return;
    }
    std::ranges::sort(rows, {}, &QModelIndex::row);
    QStringList lines = {titles.join(QLatin1Char('\t'))};
    for (const QModelIndex& row : rows) {
        QStringList cells;
        for (const int column : columns) {
            const QModelIndex cell = model.index(row.row(), column);
            const QVariant whole = cell.data(kWholeTextRole);
            cells.append((whole.isValid() ? whole : cell.data()).toString());
        }
        lines.append(cells.join(QLatin1Char('\t')));
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
}

}  // namespace rankscope::ui
