// SPDX-License-Identifier: GPL-3.0-or-later
// The order in which the timeline is painted.
#include <QPaintEngine>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "ui/timeline/frame/label_text.h"
#include "ui/timeline/paint/finding_painter.h"
#include "ui/timeline/paint/overlay_painter.h"
#include "ui/timeline/timeline_parts.h"

namespace rankscope::ui {

void TimelineWidget::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    paintAll(painter);
}

void TimelineWidget::paintAll(QPainter& painter) {
    const TimelineScene& scene = parts_->scene;
    const Hover& hover = parts_->hover;
    const QRect tracks = tracksArea();
    const bool as_shapes = painter.paintEngine()->type() == QPaintEngine::SVG;
    paintTracks(painter, tracks, as_shapes);
    paintHeaders(painter, tracks, as_shapes);
    paintTimes(painter, tracks);
    if (scene.model().runs().empty()) {
        paintEmpty(painter, tracks, scene.theme());
        return;
    }
    paintChosen(painter, tracks);
    if (hover.overTracks()) {
        paintPointer(painter, tracks, static_cast<int>(hover.pointer().x()), scene.theme());
        paintTip(painter, hover.tip(), tracks.topLeft() + hover.pointer().toPoint(), rect(), scene.theme());
    }
    if (parts_->framed) {
        painter.setPen(scene.theme().accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRect(QPoint(0, tracks.top()), tracks.bottomRight()).adjusted(0, 0, -1, -1));
    }
}

void TimelineWidget::paintTracks(QPainter& painter, const QRect& tracks, bool as_shapes) {
    TimelineScene& scene = parts_->scene;
    const Theme& theme = scene.theme();
    if (as_shapes) {
        paintShapes(painter, tracks, scene.frame(), scene.layout(), theme);
    } else {
        // Pictures have whole device pixels, and if the desktop scales by a fraction their position does not: the
        // remaining space between them and at the lower edge is filled first.
        painter.fillRect(QRect(0, height() - 1, width(), 1), theme.surface);
        painter.fillRect(QRect(tracks.left() - 1, tracks.top(), 2, tracks.height()), theme.border);
        painter.fillRect(QRect(tracks.right(), tracks.top(), 1, tracks.height()), theme.surface);
        painter.drawImage(tracks.topLeft(), scene.image());
    }
    painter.fillRect(QRect(QPoint(tracks.right() + 1, 0), rect().bottomRight()), theme.surface);  // the area of the
                                                                                                  // scroll bar
    paintUntraced(painter, tracks, scene.frame(), untracedIn(scene.frame(), scene.layout(), scene.model()), theme);
}

// The column of names, and the place where a row would be dropped.
void TimelineWidget::paintHeaders(QPainter& painter, const QRect& tracks, bool as_shapes) {
    TimelineScene& scene = parts_->scene;
    const Theme& theme = scene.theme();
    const QRect side(0, tracks.top(), tracks.left(), tracks.height());
    const LayoutRow* over = parts_->hover.overNames() ? scene.rowAt(parts_->hover.pointer().y()) : nullptr;
    const NamesView view{scene.model(), scene.frame(), scene.layout(), scene.rowsRevision(), over, namedRow()};
    if (as_shapes) {
        ui::paintNames(painter, side, view, theme);
    } else {
        parts_->names.paint(painter, side, view, theme);
    }
    if (const auto line = parts_->header.dropLine()) {
        paintDropLine(painter, side, scene.rows().toView(*line), theme);
    }
}

// The ruler, and the marks whose flags are on it.
void TimelineWidget::paintTimes(QPainter& painter, const QRect& tracks) {
    TimelineScene& scene = parts_->scene;
    const Theme& theme = scene.theme();
    const EdgeSizes sizes = edgeSizes(theme);
    const int top = tracks.top() - sizes.ruler;
    const QRect corner(0, top, tracks.left(), sizes.ruler);
    const QRect ruler(tracks.left(), top, tracks.width(), sizes.ruler);
    paintRuler(painter, ruler, corner, scene.frame(), theme);
    paintMarks(painter, ruler, tracks, parts_->marks, scene.viewport(), theme);
    if (wouldFlag(parts_->hover.pointer())) {
        paintFlagToCome(painter, ruler, static_cast<int>(parts_->hover.pointer().x()), theme);
    }
}

// Over the tracks: the hovered item, search hits, the selection with its links, and the area.
void TimelineWidget::paintChosen(QPainter& painter, const QRect& tracks) {
    TimelineScene& scene = parts_->scene;
    const Theme& theme = scene.theme();
    const Frame& frame = scene.frame();
    if (const Hit& over = parts_->hover.hit(); over.item != nullptr && over.count == 1) {
        paintSameName(painter, tracks, frame, over.item->name_hash, theme);
    }
    if (const FindingMarks& marks = parts_->finding; !marks.empty()) {
        const Severity severity = marks.of->diagnosis.findings[marks.finding].severity;
        paintFinding(painter, tracks, frame, rectsOf(marks, frame, scene.layout(), scene.model()), severity, theme);
    }
    if (parts_->hits) {
        paintHits(painter, tracks, frame, scene.model(), *parts_->hits, theme);
    }
    if (parts_->asked) {
        paintAsked(painter, tracks, *parts_->asked);
    }
    for (const FrameRect& rect : rectsOf(frame, scene.model(), selection())) {
        paintSelection(painter, tracks, frame, rect, theme);
        paintPathOver(painter, tracks, frame, rect, theme);
    }
    if (scene.overlays().has(Overlay::Links)) {
        paintLinks(painter, {tracks, &scene.model(), &scene.layout(), &scene.viewport(), scene.rows()},
                   parts_->selection.links(), theme);
    }
    paintMarkedTime(painter, tracks);
}

void TimelineWidget::paintAsked(QPainter& painter, const QRect& tracks, const AskedMarks& marks) {
    TimelineScene& scene = parts_->scene;
    const Theme& theme = scene.theme();
    const Frame& frame = scene.frame();
    AskedRects& rects = parts_->asked_rects;
    if (std::exchange(rects.frame, scene.frameNumber()) != scene.frameNumber()) {
        rects.all.clear();
        for (const AskedMarks::OfRun& of : marks.runs) {
            rects.all.push_back(rectsOf(of.run, of.times, true, frame, scene.layout(), scene.model()));
            rects.all.push_back(rectsOf(of.run, of.slices, false, frame, scene.layout(), scene.model()));
        }
    }
    for (const FindingMarkRects& one : rects.all) {
        paintPlaces(painter, tracks, frame, one, theme.accent, theme);
    }
    paintHits(painter, tracks, frame, scene.model(), marks.rows, theme);
}

void TimelineWidget::paintMarkedTime(QPainter& painter, const QRect& tracks) {
    TimelineScene& scene = parts_->scene;
    const Theme& theme = scene.theme();
    if (const auto& first = parts_->area.firstPlace()) {
        const QPointF& pointer = parts_->hover.pointer();
        const TimeNs other = parts_->hover.overTracks() ? viewport().timeAt(pointer.x()) : *first;
        const auto [start, end] = std::minmax(*first, other);
        paintArea(painter, tracks, {QPointF(viewport().xAt(start), 0), QPointF(viewport().xAt(end), tracks.height())},
                  end - start, theme);
        return;
    }
    if (const auto& area = parts_->area.extent(); area && !area->span().empty()) {
        const TimeSpan span = area->span();
        const auto y_of = [&](const RowAnchor& anchor) { return scene.rows().toView(scene.layout().yOf(anchor)); };
        const auto [top, bottom] = std::minmax({y_of(area->from), y_of(area->to)});
        paintArea(painter, tracks,
                  {QPointF(viewport().xAt(span.start_ns), top), QPointF(viewport().xAt(span.end_ns), bottom)},
                  span.length(), theme);
    }
}

}  // namespace rankscope::ui
