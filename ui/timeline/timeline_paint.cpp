// SPDX-License-Identifier: GPL-3.0-or-later
// The order in which the timeline is painted.
#include <QPaintEngine>
#include <QPainter>
#include <algorithm>

#include "ui/timeline/label_text.h"
#include "ui/timeline/overlay_painter.h"
#include "ui/timeline/side_painter.h"
#include "ui/timeline/timeline_impl.h"
#include "ui/timeline/untraced.h"
#include "ui/timeline/vector_painter.h"

namespace rankscope::ui {

void TimelineWidget::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    impl_->paint(painter);
}

void TimelineWidget::Impl::paint(QPainter& painter) {
    const QRect tracks = self->tracksArea();
    const Theme& theme = scene.theme();
    const bool as_shapes = painter.paintEngine()->type() == QPaintEngine::SVG;
    if (as_shapes) {
        paintShapes(painter, tracks, scene.frame(), scene.layout(), theme);
    } else {
        // Pictures have whole pixels of the screen, and where the desktop scales by a fraction their place has not:
        // what may be left between them and at the lower edge is filled first.
        painter.fillRect(QRect(0, self->height() - 1, self->width(), 1), theme.surface);
        painter.fillRect(QRect(tracks.left() - 1, tracks.top(), 2, tracks.height()), theme.border);
        painter.fillRect(QRect(tracks.right(), tracks.top(), 1, tracks.height()), theme.surface);
        painter.drawImage(tracks.topLeft(), scene.image());
    }
    painter.fillRect(QRect(QPoint(tracks.right() + 1, 0), self->rect().bottomRight()),
                     theme.surface);  // the scroll bar's
    const Frame& frame = scene.frame();
    const EdgeSizes sizes = edgeSizes(theme);
    const QRect side(0, tracks.top(), sizes.side, tracks.height());
    const int ruler_top = tracks.top() - sizes.ruler;
    const QRect corner(0, ruler_top, sizes.side, sizes.ruler);
    const QRect ruler(tracks.left(), ruler_top, tracks.width(), sizes.ruler);
    paintUntraced(painter, tracks, frame, untracedIn(frame, scene.layout(), scene.model()), theme);
    const bool over_side = pointer.x() < 0 && pointer.y() >= 0;
    const LayoutRow* over = over_side ? scene.rowAt(pointer.y()) : nullptr;
    if (as_shapes) {
        paintSide(painter, side, frame, scene.layout(), theme, over);
    } else {
        names.paint(painter, side, {frame, scene.layout(), scene.rowsRevision(), over}, theme);
    }
    if (head && head->begun && head->kind == HeadDrag::Kind::Move) {
        paintDropLine(painter, side, scene.rows().toView(head->line_y), theme);
    }
    paintRuler(painter, ruler, corner, frame, theme);
    paintMarks(painter, ruler, tracks, marks, chosen_mark, scene.viewport(), theme);
    if (wouldFlag(pointer)) {
        paintFlagToCome(painter, ruler, static_cast<int>(pointer.x()), theme);
    }
    if (scene.model().runs().empty()) {
        paintEmpty(painter, tracks, theme);
        return;
    }
    if (hovered.item != nullptr && hovered.count == 1) {
        paintSameName(painter, tracks, frame, hovered.item->name_hash, theme);
    }
    if (hits) {
        paintHits(painter, tracks, frame, scene.model(), *hits, theme);
    }
    for (const FrameRect& rect : rectsOf(frame, scene.model(), selected)) {
        paintSelection(painter, tracks, frame, rect, theme);
    }
    if (scene.overlays().has(Overlay::Links)) {
        paintLinks(painter, {tracks, &scene.model(), &scene.layout(), &scene.viewport(), scene.rows()}, links, theme);
    }
    if (area) {
        const Viewport& view = scene.viewport();
        const TimeSpan span = area->span();
        const auto y_of = [this](const RowAnchor& anchor) { return scene.rows().toView(scene.layout().yOf(anchor)); };
        const auto [top, bottom] = std::minmax({y_of(area->from), y_of(area->to)});
        paintArea(painter, tracks, {QPointF(view.xAt(span.start_ns), top), QPointF(view.xAt(span.end_ns), bottom)},
                  span.length(), theme);
    }
    if (pointer.x() >= 0 && pointer.y() >= 0) {
        paintPointer(painter, tracks, static_cast<int>(pointer.x()), theme);
        paintTip(painter, tip, tracks.topLeft() + pointer.toPoint(), self->rect(), theme);
    }
    if (framed) {
        painter.setPen(theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRect(side.topLeft(), tracks.bottomRight()).adjusted(0, 0, -1, -1));
    }
}

}  // namespace rankscope::ui
