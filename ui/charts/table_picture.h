// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>

#include "ui/theme/theme.h"

class QPainter;
class QTableView;

namespace rankscope::ui {

/// How large a picture of a whole table is: all columns as wide as they are, all rows, and the titles above.
[[nodiscard]] QSize pictureSize(const QTableView& table);
/// Draws a whole table from the painter's origin, also what is scrolled out of sight.
void paintTable(QPainter& painter, const QTableView& table, const Theme& theme);

}  // namespace rankscope::ui
