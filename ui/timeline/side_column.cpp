// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/side_column.h"

#include "ui/timeline/side_painter.h"

namespace rankscope::ui {

void SideColumn::paint(QPainter& painter, const QRect& area, const SideView& view, const Theme& theme) {
    const double ratio = painter.device()->devicePixelRatioF();
    Look look{view.rows_revision, view.frame.rows, view.frame.sticky, view.hovered, area.size(), ratio};
    if (picture_.isNull() || look != look_) {
        const QSize pixels = (QSizeF(area.size()) * ratio).toSize();
        if (picture_.size() != pixels) {
            picture_ = QImage(pixels, QImage::Format_RGB32);
        }
        picture_.setDevicePixelRatio(ratio);
        QPainter into(&picture_);
        paintSide(into, QRect(QPoint(0, 0), area.size()), view.frame, view.layout, theme, view.hovered);
        look_ = std::move(look);
    }
    painter.drawImage(area.topLeft(), picture_);
}

}  // namespace rankscope::ui
