// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/table_look.h"

#include <QClipboard>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHeaderView>
#include <QTableView>
#include <algorithm>
#include <cmath>

#include "ui/theme/text_scale.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/table_menu.h"

namespace rankscope::ui {
namespace {

constexpr const char* kGrownBy = "grown-by";

}  // namespace

void dressTable(QTableView& table) {
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setItemDelegate(new CellDelegate(&table));
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false);
    table.verticalHeader()->hide();
    const int height = rowHeight(table.fontMetrics());
    table.verticalHeader()->setMinimumSectionSize(height);
    table.verticalHeader()->setDefaultSectionSize(height);
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table.horizontalHeader()->setHighlightSections(false);
    dressTitles(*table.horizontalHeader());
    table.horizontalHeader()->setStretchLastSection(true);
    table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    addTableMenu(table);
}

int rowHeight(const QFontMetrics& text) {
    constexpr int kLeastRow = 26;
    constexpr int kAroundText = 10;
    return std::max(kLeastRow, text.height() + kAroundText);
}

void dressTitles(QHeaderView& titles) {
    titles.setTextElideMode(Qt::ElideRight);
}

void growWithText(QTableView& table, const Theme& theme) {
    QHeaderView& titles = *table.horizontalHeader();
    const double scale = std::max(1.0, textScale(theme));  // narrower than intended, they would cut words
    const double factor = scale / grownBy(table);
    table.setProperty(kGrownBy, scale);
    if (factor == 1.0) {
        widenToTitles(table);
        return;
    }
    for (int column = 0; column < titles.count(); ++column) {
        if (titles.sectionResizeMode(column) == QHeaderView::Interactive && !titles.isSectionHidden(column)) {
            titles.resizeSection(column, static_cast<int>(std::lround(factor * titles.sectionSize(column))));
        }
    }
    widenToTitles(table);
    QHeaderView& rows = *table.verticalHeader();
    const int height = static_cast<int>(std::lround(factor * rows.defaultSectionSize()));
    rows.setMinimumSectionSize(std::min(height, rows.minimumSectionSize()));
    rows.setDefaultSectionSize(height);
}

double grownBy(const QTableView& table) {
    const QVariant known = table.property(kGrownBy);
    return known.isValid() ? known.toDouble() : 1.0;
}

void widenToTitles(QTableView& table) {
    QHeaderView& titles = *table.horizontalHeader();
    titles.ensurePolished();  // the style makes them bold
    for (int column = 0; column < titles.count(); ++column) {
        const int wanted = titles.sectionSizeHint(column);
        if (titles.sectionResizeMode(column) == QHeaderView::Interactive && titles.sectionSize(column) < wanted) {
            titles.resizeSection(column, wanted);
        }
    }
}

QString titleWithUnit(const QString& title, const QString& unit) {
    return QStringLiteral("%1 (%2)").arg(title, unit);
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
