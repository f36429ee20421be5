// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>

#include "ui/theme/theme.h"
#include "ui/timeline/frame.h"

namespace rankscope::ui {

/// Paints the names of the rows that are in sight, in logical pixels: `area` is the column, the frame's rows begin at
/// its top. `hovered` is the row under the pointer, or nullptr.
void paintSide(QPainter& painter, const QRect& area, const Frame& frame, const RowLayout& layout, const Theme& theme,
               const LayoutRow* hovered);

/// Paints the ruler over the tracks into `area` and, left of it, where its labels count from into `corner`.
void paintRuler(QPainter& painter, const QRect& area, const QRect& corner, const Frame& frame, const Theme& theme);

/// Where a track that is dragged would be put.
void paintDropLine(QPainter& painter, const QRect& area, int y, const Theme& theme);

}  // namespace rankscope::ui
