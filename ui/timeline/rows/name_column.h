// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPainter>
#include <cstdint>
#include <vector>

#include "ui/theme/theme.h"
#include "ui/timeline/frame/frame.h"

namespace rankscope::ui {

/// The content of the column of names: the rows of a frame, with the model for their text.
struct NamesView {
    const TimelineModel& model;
    const Frame& frame;
    const RowLayout& layout;
    std::uint64_t rows_revision = 0;     ///< changes with the rows and with the theme
    const LayoutRow* hovered = nullptr;  ///< the row under the pointer
    const LayoutRow* chosen = nullptr;   ///< the current row of the keyboard
};

/// Paints the names of the visible rows into `area`, in logical pixels; the frame's rows begin at its top.
void paintNames(QPainter& painter, const QRect& area, const NamesView& view, const Theme& theme);
/// Paints a line into the names where a dragged track would be put, `y` logical pixels below the top of `area`.
void paintDropLine(QPainter& painter, const QRect& area, int y, const Theme& theme);

/// The column of names as a cached picture: the names do not move while the view moves through time, and laying out
/// their text takes longer than painting the slices.
class NameColumn {
  public:
    /// Paints the same as paintNames(); only copies if nothing has changed since the last time.
    void paint(QPainter& painter, const QRect& area, const NamesView& view, const Theme& theme);

  private:
    struct Look {
        std::uint64_t rows_revision = 0;
        std::vector<FrameRow> rows;
        std::int32_t sticky = 0;
        const LayoutRow* hovered = nullptr;
        const LayoutRow* chosen = nullptr;
        QSize size;
        double pixel_ratio = 1.0;
        friend bool operator==(const Look&, const Look&) = default;
    };
    Look look_;
    QImage picture_;
};

}  // namespace rankscope::ui
