// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>

#include "ui/theme/theme.h"

class QPainter;
class QTableView;

namespace rankscope::ui {

/// The size of a picture of a whole table: all columns at their width, all rows, and the titles.
[[nodiscard]] QSize pictureSize(const QTableView& table);
/// Draws a whole table from the painter's origin, with the part that is scrolled out of view.
void paintTable(QPainter& painter, const QTableView& table, const Theme& theme);

}  // namespace rankscope::ui
