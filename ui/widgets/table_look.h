// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/qnamespace.h>

#include "ui/theme/theme.h"

class QFontMetrics;
class QHeaderView;
class QTableView;

namespace rankscope::ui {

/// Gives a table the look of all tables here: whole rows of one height, drawn by a CellDelegate, no grid, no numbers at
/// the side, and the menu for saving it.
void dressTable(QTableView& table);
/// The text for copying a cell that does not show all of its content; nothing if the cell shows all.
inline constexpr int kWholeTextRole = Qt::UserRole + 100;
/// The value of a cell for programs: an integer (qlonglong), a double, a bool or a text, empty for an empty cell; for a
/// title, the name of the column with the unit of its numbers. Nothing if that is the displayed text.
inline constexpr int kExactRole = Qt::UserRole + 101;
/// The title of a column whose exact values have a unit: "Step time (ns)".
[[nodiscard]] QString titleWithUnit(const QString& title, const QString& unit);
/// Copies the selected rows to the clipboard, with the titles, in the format of spreadsheets.
void copySelection(const QTableView& table);

/// The height of a table row with text in this font, in pixels.
[[nodiscard]] int rowHeight(const QFontMetrics& text);

/// Cuts column titles that do not fit with dots, like the cells below them.
void dressTitles(QHeaderView& titles);
/// Scales the columns and rows of a table, which were designed for text of the usual size, by the text size of this
/// theme; widths set by the user scale too. Call it for each theme.
void growWithText(QTableView& table, const Theme& theme);
/// The current scale of the columns; 1 before the first call.
[[nodiscard]] double grownBy(const QTableView& table);
/// Widens columns that are narrower than their titles: titles are longer in other languages.
void widenToTitles(QTableView& table);

}  // namespace rankscope::ui
