// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/qnamespace.h>

#include "ui/theme/theme.h"

class QFontMetrics;
class QHeaderView;
class QTableView;

namespace rankscope::ui {

/// Gives a table the look of all tables here: whole rows of one height, drawn by a CellDelegate, no grid, no numbers at
/// the side, and the menu that saves it.
void dressTable(QTableView& table);
/// The text of a cell that shows less than it holds, for what is copied; nothing where the cell shows all.
inline constexpr int kWholeTextRole = Qt::UserRole + 100;
/// What a cell holds, for programs: a whole number (qlonglong), a double, a bool or a text, empty where it holds
/// nothing; of a title, what the column is called with the unit of its numbers. Nothing where that is what is shown.
inline constexpr int kExactRole = Qt::UserRole + 101;
/// The title of a column whose exact values have a unit: "Step time (ns)".
[[nodiscard]] QString titleWithUnit(const QString& title, const QString& unit);
/// Puts the selected rows on the clipboard, with the titles above, as spreadsheets take them.
void copySelection(const QTableView& table);

/// How high a row of a table is whose text has this font, in pixels.
[[nodiscard]] int rowHeight(const QFontMetrics& text);

/// Cuts the titles of columns with dots where they have no room, as the cells below them are.
void dressTitles(QHeaderView& titles);
/// Makes the columns and rows of a table, whose columns were made for text of the usual size, as much larger as the
/// text of this theme is; what the user made of their widths grows along. Call it for each theme.
void growWithText(QTableView& table, const Theme& theme);
/// How many times the usual width columns have since then; 1 before.
[[nodiscard]] double grownBy(const QTableView& table);
/// Makes the columns that are narrower than their titles as wide as these: in other languages they are longer.
void widenToTitles(QTableView& table);

}  // namespace rankscope::ui
