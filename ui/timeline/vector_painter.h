// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>

#include "ui/theme/theme.h"
#include "ui/timeline/frame.h"
#include "ui/timeline/row_layout.h"

namespace rankscope::ui {

/// Paints a draw list as shapes and text instead of pixels, for drawings that are enlarged or edited: what
/// TracksPainter shows. `tracks` is where the frame lies, in logical pixels.
void paintShapes(QPainter& painter, const QRect& tracks, const Frame& frame, const RowLayout& layout,
                 const Theme& theme);

}  // namespace rankscope::ui
