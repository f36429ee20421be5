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
    const bool as_shapes = painter.paintEngine()->type() == QPaintEngine::SVG;
    if (as_shapes) {
        paintShapes(painter, tracks, scene.frame(), scene.layout(), scene.theme());
    } else {
        // Pictures have whole pixels of the screen, and where the desktop scales by a fraction their place has not:
        // what may be left between them and at the lower edge is filled first.
        painter.fillRect(QRect(0, self->height() - 1, self->width(), 1), scene.theme().surface);
        painter.fillRect(QRect(tracks.left() - 1, tracks.top(), 2, tracks.height()), scene.theme().border);
        painter.fillRect(QRect(tracks.right(), tracks.top(), 1, tracks.height()), scene.theme().surface);
        painter.drawImage(tracks.topLeft(), scene.image());
    }
    painter.fillRect(QRect(QPoint(tracks.right() + 1, 0), self->rect().bottomRight()),
                     scene.theme().surface);  // the scroll bar's
    paintUntraced(painter, tracks, scene.frame(), untracedIn(scene.frame(), scene.layout(), scene.model()),
                  scene.theme());
    paintNames(painter, tracks, as_shapes);
    paintTimes(painter, tracks);
    if (scene.model().runs().empty()) {
        paintEmpty(painter, tracks, scene.theme());
        return;
    }
    paintChosen(painter, tracks);
    if (pointer.x() >= 0 && pointer.y() >= 0) {
        paintPointer(painter, tracks, static_cast<int>(pointer.x()), scene.theme());
        paintTip(painter, tip, tracks.topLeft() + pointer.toPoint(), self->rect(), scene.theme());
    }
    if (framed) {
        painter.setPen(scene.theme().accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRect(QPoint(0, tracks.top()), tracks.bottomRight()).adjusted(0, 0, -1, -1));
    }
}

// The column of names, and where a row would be dropped.
void TimelineWidget::Impl::paintNames(QPainter& painter, const QRect& tracks, bool as_shapes) {
    const Theme& theme = scene.theme();
    const QRect side(0, tracks.top(), edgeSizes(theme).side, tracks.height());
    const bool over_side = pointer.x() < 0 && pointer.y() >= 0;
    const LayoutRow* over = over_side ? scene.rowAt(pointer.y()) : nullptr;
    if (as_shapes) {
        paintSide(painter, side, scene.frame(), scene.layout(), theme, over);
    } else {
        names.paint(painter, side, {scene.frame(), scene.layout(), scene.rowsRevision(), over}, theme);
    }
    if (head && head->begun && head->kind == HeadDrag::Kind::Move) {
        paintDropLine(painter, side, scene.rows().toView(head->line_y), theme);
    }
}

// The ruler, and the marks whose flags stand in it.
void TimelineWidget::Impl::paintTimes(QPainter& painter, const QRect& tracks) {
    const Theme& theme = scene.theme();
    const EdgeSizes sizes = edgeSizes(theme);
    const int top = tracks.top() - sizes.ruler;
    const QRect corner(0, top, sizes.side, sizes.ruler);
    const QRect ruler(tracks.left(), top, tracks.width(), sizes.ruler);
    paintRuler(painter, ruler, corner, scene.frame(), theme);
    paintMarks(painter, ruler, tracks, marks, chosen_mark, scene.viewport(), theme);
    if (wouldFlag(pointer)) {
        paintFlagToCome(painter, ruler, static_cast<int>(pointer.x()), theme);
    }
}

// Over the tracks: what is pointed at, searched for, selected, with its links and the area.
void TimelineWidget::Impl::paintChosen(QPainter& painter, const QRect& tracks) {
    const Theme& theme = scene.theme();
    const Frame& frame = scene.frame();
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
}

}  // namespace rankscope::ui
