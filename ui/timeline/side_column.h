// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPainter>
#include <cstdint>
#include <vector>

#include "ui/theme/theme.h"
#include "ui/timeline/frame.h"

namespace rankscope::ui {

/// What the column of names shows.
struct SideView {
    const Frame& frame;
    const RowLayout& layout;
    std::uint64_t rows_revision = 0;  ///< another one for other rows, and for another theme
    const LayoutRow* hovered = nullptr;
};

/// The column of names as a picture: the names stay where they are while the view moves through time, and to lay out
/// their text takes longer than the slices beside them.
class SideColumn {
  public:
    /// Paints the names into `area`, in logical pixels.
    void paint(QPainter& painter, const QRect& area, const SideView& view, const Theme& theme);

  private:
    struct Look {
        std::uint64_t rows_revision = 0;
        std::vector<FrameRow> rows;
        std::int32_t sticky = 0;
        const LayoutRow* hovered = nullptr;
        QSize size;
        double pixel_ratio = 1.0;
        friend bool operator==(const Look&, const Look&) = default;
    };
    Look look_;
    QImage picture_;
};

}  // namespace rankscope::ui
