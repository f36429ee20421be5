// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and keyboard events of the timeline.
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>

#include "core/base/format.h"
#include "ui/theme/plain_text.h"
#include "ui/timeline/frame/label_text.h"
#include "ui/timeline/rows/row_menu.h"
#include "ui/timeline/rows/row_text.h"
#include "ui/timeline/rows/track_menu.h"
#include "ui/timeline/timeline_parts.h"

namespace rankscope::ui {
namespace {

constexpr double kNotchDegrees = 120.0;  // one notch of a wheel, in eighths of a degree
constexpr double kZoomPerNotch = 0.30;
constexpr double kPanPerNotch = 0.12;   // share of the width
constexpr double kScrollPerNotch = 72;  // pixels: four rows
constexpr int kSnapReach = 15;          // logical pixels: the edge of an area snaps to that of a slice

/// The note of a mark with its time on the axis: it may not fit on its flag.
QString wordsOfMark(const TimeMark& mark) {
    const auto words = [](TimeNs ns) { return QString::fromStdString(formatDuration(ns)); };
    const QString time = mark.span.empty()
                             ? TimelineWidget::tr("at %1").arg(words(mark.span.start_ns))
                             : TimelineWidget::tr("%1 to %2, %3")
                                   .arg(words(mark.span.start_ns), words(mark.span.end_ns), words(mark.span.length()));
    return mark.text.isEmpty() ? time : mark.text + QLatin1Char('\n') + time;
}

}  // namespace

bool TimelineWidget::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        // While the timeline has the keyboard it handles its keys itself: a shortcut cannot be held down.
        const auto* key = static_cast<QKeyEvent*>(event);
        if (ownAction(*key)) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString tip = tipAt(help->pos());
        tip.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), tip, this);
        return true;
    }
    if (event->type() == QEvent::Enter) {
        hoverAt(static_cast<QEnterEvent*>(event)->position());  // a key may come before the first move
    }
    if (event->type() == QEvent::NativeGesture) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            parts_->scene.changeView().zoomAt(inTracks(gesture->position()).x(), std::exp(-gesture->value()));
            frameChanged();
            return true;
        }
    }
    return QWidget::event(event);
}

QString TimelineWidget::tipAt(const QPoint& pos) const {
    const QPointF at = inTracks(pos);
    if (inRuler(at)) {
        const auto mark =
            at.y() >= -edgeSizes(parts_->scene.theme()).flags ? parts_->marks.at(at.x(), viewport()) : std::nullopt;
        return mark ? plainTip(wordsOfMark(parts_->marks.all()[*mark])) : QString();
    }
    const LayoutRow* row = at.x() < 0 && at.y() >= 0 ? parts_->scene.rowAt(at.y()) : nullptr;
    return row != nullptr && row->kind == RowKind::Run
               ? plainTip(foldersOf(*parts_->scene.model().runs()[row->run].run->run).join(QLatin1Char('\n')))
               : QString();
}

void TimelineWidget::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeParts();
}

int TimelineWidget::inRows(double y) const {
    return parts_->scene.rows().toRows(static_cast<int>(y));
}

// ---- wheel

void TimelineWidget::wheelEvent(QWheelEvent* event) {
    Parts& p = *parts_;
    const int wide = viewport().width();
    const bool pixels = !event->pixelDelta().isNull();
    const QPointF notches = QPointF(event->angleDelta()) / kNotchDegrees;
    const QPointF way = pixels ? QPointF(event->pixelDelta())
                               : QPointF(notches.x() * kPanPerNotch * wide, notches.y() * kScrollPerNotch);
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        p.view.zoomBy(notches.y() * kZoomPerNotch, inTracks(event->position()).x());
    } else if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        const double across = std::abs(notches.x()) > std::abs(notches.y()) ? notches.x() : notches.y();
        p.view.panBy(-across * kPanPerNotch * wide);
    } else {
        if (way.x() != 0 && pixels) {
            p.scene.changeView().panBy(-way.x());  // a trackpad sends its own glide
        } else if (way.x() != 0) {
            p.view.panBy(-way.x());
        }
        p.scene.setScroll(p.scene.scroll() - static_cast<int>(std::lround(way.y())));
    }
    frameChanged();
    event->accept();
}

// ---- press, drag, release

void TimelineWidget::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) {
        return;
    }
    setFocus(Qt::MouseFocusReason);
    parts_->view.stop();
    if (event->button() == Qt::LeftButton) {
        const QPointF at = inTracks(event->position());
        parts_->header.cancel();
        if (overColumnEdge(event->position())) {
            parts_->edge.press(event->position().x(), parts_->scene.theme(), width());
            return;
        }
        if (at.x() < 0 && at.y() >= 0) {
            parts_->header.press(rowLayout(), inRows(at.y()));
        }
    }
    parts_->drag.press(event->globalPosition().toPoint(), event->button(), event->modifiers());
}

bool TimelineWidget::overColumnEdge(const QPointF& at) const {
    const int top = tracksArea().top() - edgeSizes(parts_->scene.theme()).ruler;
    return at.y() >= top && parts_->edge.isAt(at.x(), parts_->scene.theme(), width());
}

void TimelineWidget::mouseMoveEvent(QMouseEvent* event) {
    if (parts_->edge.pressed()) {
        if (parts_->edge.dragTo(event->position().x(), parts_->scene.theme(), width())) {
            placeParts();
            Q_EMIT namesWidthChanged(namesWidth());
        }
        return;
    }
    if (parts_->header.pressed()) {
        dragHeader(inTracks(event->position()));
        return;
    }
    const QPoint origin = mapFromGlobal(parts_->drag.origin());
    const bool begun = tracksArea().contains(origin) || inRuler(inTracks(origin));
    if (parts_->drag.kind() == DragTracker::Kind::None || !begun) {
        hoverAt(event->position());
        return;
    }
    dragBy(parts_->drag.move(event->globalPosition().toPoint()), event->modifiers());
}

void TimelineWidget::dragHeader(const QPointF& at) {
    parts_->header.moveTo(parts_->scene.model(), rowLayout(), inRows(at.y()));
    RowChoices resized = parts_->scene.choices();
    if (parts_->header.resize(resized)) {
        if (!std::exchange(parts_->resizing, true)) {
            parts_->edits.keep();
        }
        parts_->edits.setRows(std::move(resized));
    }
    refresh();
}

void TimelineWidget::dragBy(const QPoint& way, Qt::KeyboardModifiers modifiers) {
    TimelineScene& scene = parts_->scene;
    if (parts_->drag.kind() == DragTracker::Kind::Pan) {
        setCursor(Qt::ClosedHandCursor);
        scene.changeView().panBy(-way.x());
        scene.setScroll(scene.scroll() - way.y());
        frameChanged();
    } else if (parts_->drag.kind() == DragTracker::Kind::Range) {
        dragArea(modifiers);
    }
}

void TimelineWidget::dragArea(Qt::KeyboardModifiers modifiers) {
    MeasuredArea& area = parts_->area;
    if (area.editing() == AreaEdit::None) {
        const QPointF origin = inTracks(mapFromGlobal(QPointF(parts_->drag.origin())));
        const AreaEdit edge = areaEdgeAt(origin);
        const AreaEdit draw = inRuler(origin) ? AreaEdit::DrawTime : AreaEdit::Draw;
        area.beginDrag(edge != AreaEdit::None ? edge : draw, areaPointUnder(parts_->drag.origin(), modifiers),
                       rowLayout());
    }
    area.dragTo(areaPointUnder(parts_->drag.last(), modifiers));
    parts_->hover.forgetTip();
    areaEdited();
}

AreaPoint TimelineWidget::areaPointUnder(const QPoint& global, Qt::KeyboardModifiers modifiers) {
    TimelineScene& scene = parts_->scene;
    const QPointF at = inTracks(mapFromGlobal(QPointF(global)));
    const RowAnchor row = rowLayout().anchorAt(inRows(std::max(0.0, at.y())));
    const TimeSpan limits = viewport().limits();
    const double ratio = devicePixelRatioF();
    if (!modifiers.testFlag(Qt::AltModifier)) {
        const auto edge = edgeNear(scene.frame(), scene.model(), static_cast<int>(at.x() * ratio),
                                   static_cast<int>(at.y() * ratio), static_cast<int>(kSnapReach * ratio));
        if (edge) {
            return {*edge, row};
        }
    }
    return {std::clamp(viewport().timeAt(at.x()), limits.start_ns, limits.end_ns), row};
}

AreaEdit TimelineWidget::areaEdgeAt(const QPointF& at) const {
    return parts_->area.edgeAt(at.x(), inRows(at.y()), rowLayout(), viewport());
}

void TimelineWidget::mouseReleaseEvent(QMouseEvent* event) {
    unsetCursor();
    parts_->resizing = false;
    if (parts_->edge.pressed()) {
        parts_->edge.release();
        return;
    }
    parts_->area.endDrag();
    if (const auto& area = parts_->area.extent(); area && area->span().empty()) {
        clearArea();  // a drag straight down covers no time
    }
    RowChoices moved = parts_->scene.choices();
    if (parts_->header.drop(parts_->scene.model(), moved)) {
        parts_->edits.changeRows([&](RowChoices& choices) { choices = std::move(moved); });
        parts_->drag.cancel();
    } else if (parts_->drag.release() == DragTracker::Kind::Pressed && event->button() == Qt::LeftButton) {
        clickAt(event->position(), event->modifiers());
    }
}

// ---- clicks

void TimelineWidget::clickAt(const QPointF& at, Qt::KeyboardModifiers modifiers) {
    const QPointF p = inTracks(at);
    if (clickRuler(p) || p.y() < 0) {
        return;
    }
    const LayoutRow* row = parts_->scene.rowAt(p.y());
    // A click next to a name deselects, but a row of several ranks has nothing to deselect.
    const bool header = row != nullptr && (row->kind == RowKind::Alike || row->kind == RowKind::Heading);
    if (row != nullptr && (p.x() < 0 || header)) {
        fold(row);
        return;
    }
    if (modifiers.testFlag(Qt::ShiftModifier) && p.x() >= 0) {
        parts_->area.clickRange(areaPointUnder(mapToGlobal(at.toPoint()), modifiers).at_ns, rowLayout());
        parts_->area.extent() ? areaEdited() : refresh();
        return;
    }
    clearArea();
    parts_->clicked = parts_->scene.hit(p).what;
    parts_->clicked_at = at.toPoint();
    choose(parts_->clicked);
    refresh();
}

// The first click may have moved the rows: the second one is also meant for what the first selected.
Selection TimelineWidget::doubleClicked(const QPointF& at) {
    const bool same_place = (at.toPoint() - parts_->clicked_at).manhattanLength() <= metrics::kDragThreshold;
    const bool selected = parts_->clicked.index() != 0 && parts_->clicked == selection();
    return same_place && selected ? selection() : parts_->scene.hit(inTracks(at)).what;
}

bool TimelineWidget::inRuler(const QPointF& at) const {
    return at.x() >= 0 && at.y() < 0 && at.y() >= -edgeSizes(parts_->scene.theme()).ruler;
}

bool TimelineWidget::wouldFlag(const QPointF& at) const {
    return inRuler(at) && at.y() >= -edgeSizes(parts_->scene.theme()).flags && !parts_->scene.model().runs().empty() &&
           !parts_->marks.at(at.x(), viewport());
}

bool TimelineWidget::clickRuler(const QPointF& at) {
    if (!inRuler(at)) {
        return false;
    }
    Marks& marks = parts_->marks;
    if (wouldFlag(at)) {
        const TimeNs here = viewport().timeAt(at.x());
        changeMarks([here](Marks& all) {
            all.add({.span = {here, here}, .text = {}, .kept = true, .run = 0, .rank = {}});
        });
        return true;
    }
    const auto mark = marks.at(at.x(), viewport());
    if (mark && mark == marks.chosen()) {
        writeNote();
    }
    marks.choose(mark);
    refresh();
    return true;
}

void TimelineWidget::mouseDoubleClickEvent(QMouseEvent* event) {
    const QPointF p = inTracks(event->position());
    if (overColumnEdge(event->position())) {
        setNamesWidth(0);
        Q_EMIT namesWidthChanged(0);
        return;
    }
    if (p.x() < 0 || p.y() < 0) {
        mousePressEvent(event);  // a quick second click on a fold is a click
        return;
    }
    if (const Selection what = doubleClicked(event->position()); what.index() != 0) {
        choose(what);
        fitSelection();
    } else if (const auto step = parts_->scene.stepAt(p)) {
        parts_->view.leave(selection());
        parts_->view.travelTo(viewport().windowFitting(*step, Viewport::kFitShare));
    }
}

void TimelineWidget::contextMenuEvent(QContextMenuEvent* event) {
    const LayoutRow* const named = event->reason() == QContextMenuEvent::Mouse ? nullptr : namedRow();
    const LayoutRow* at_row = named != nullptr ? named : selectedRow();
    Selection what = named != nullptr ? Selection() : selection();
    if (event->reason() == QContextMenuEvent::Mouse) {
        const QPointF at = inTracks(event->pos());
        at_row = at.y() >= 0 ? parts_->scene.rowAt(at.y()) : nullptr;
        const Hit hit = at.x() >= 0 && at.y() >= 0 ? parts_->scene.hit(at) : Hit();
        what = hit.count == 1 && !hit.running && !hit.counter ? hit.what : Selection();
    }
    const std::optional<LayoutRow> row = at_row != nullptr ? std::optional(*at_row) : std::nullopt;
    const int named_y = named != nullptr ? parts_->scene.rows().toView(named->y) : 0;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (const auto* slice = std::get_if<SliceSelection>(&what)) {
        setFocus(Qt::MouseFocusReason);
        choose(what);  // the menu works on the selection; the rows may change from here on
        const RankView& rank = *parts_->scene.model().rank(slice->run, slice->rank);
        Q_EMIT sliceMenuAsked(menu, rank.trace.get(), slice->slice, rank.workClass(slice->slice));
    }
    if (row) {
        addRowEntries(*menu, *row);
    }
    if (menu->isEmpty()) {
        delete menu;
        return;
    }
    forgetPointer();  // a tip would cover the menu
    menu->popup(named != nullptr ? mapToGlobal(tracksArea().topLeft() + QPoint(0, named_y)) : event->globalPos());
}

void TimelineWidget::addRowEntries(QMenu& menu, const LayoutRow& row) {
    const RowChoices& choices = parts_->scene.choices();
    bool apart = !menu.isEmpty();
    for (const auto& entries : {rowMenu(row, choices), trackMenu(parts_->scene.model(), rowLayout(), row, choices)}) {
        for (const RowMenuEntry& entry : entries) {
            if (entry.apart || std::exchange(apart, false)) {
                menu.addSeparator();
            }
            connect(menu.addAction(entry.title), &QAction::triggered, this,
                    [this, change = entry.change] { parts_->edits.changeRows(change); });
        }
    }
}

// ---- the pointer

void TimelineWidget::hoverAt(const QPointF& at) {
    const QPointF pointer = inTracks(at);
    parts_->view.setPointer(pointer.x());
    parts_->hover.moveTo(pointer, parts_->scene.hit(pointer), parts_->scene.model(), parts_->scene.theme());
    setCursor(cursorAt(pointer));
    refresh();
}

Qt::CursorShape TimelineWidget::cursorAt(const QPointF& at) const {
    if (areaEdgeAt(at) != AreaEdit::None || overColumnEdge(at + QPointF(tracksArea().topLeft()))) {
        return Qt::SplitHCursor;
    }
    if (inRuler(at)) {
        return at.y() >= -edgeSizes(parts_->scene.theme()).flags ? Qt::PointingHandCursor : Qt::ArrowCursor;
    }
    if (at.x() >= 0 || at.y() < 0 || parts_->scene.rowAt(at.y()) == nullptr) {
        return Qt::ArrowCursor;
    }
    const bool edge = HeaderDrag::kindAt(rowLayout(), inRows(at.y())) == HeaderDrag::Kind::Resize;
    return edge ? Qt::SplitVCursor : Qt::PointingHandCursor;
}

void TimelineWidget::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    forgetPointer();
}

void TimelineWidget::forgetPointer() {
    parts_->hover.leave();
    refresh();
}

// ---- keys

std::optional<TimelineAction> TimelineWidget::ownAction(const QKeyEvent& event) const {
    const auto action = actionOfKey(event.key(), event.nativeScanCode(), event.modifiers());
    const bool held = action && (*action <= TimelineAction::PanRight || *action == TimelineAction::Clear);
    return parts_->only_held_keys && !held ? std::nullopt : action;
}

bool TimelineWidget::hold(TimelineAction action, bool down) {
    const auto held = heldWith(parts_->view.held(), action, down);
    if (!held) {
        return false;
    }
    if (parts_->hover.pointer().x() < 0) {
        parts_->view.setPointer(viewport().width() / 2.0);
    }
    parts_->view.hold(*held);
    return true;
}

void TimelineWidget::keyPressEvent(QKeyEvent* event) {
    const auto action = ownAction(*event);
    if (!action) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (event->isAutoRepeat() && parts_->view.held().any()) {
        return;
    }
    if (!hold(*action, true)) {
        trigger(*action);
    }
}

void TimelineWidget::keyReleaseEvent(QKeyEvent* event) {
    // Whatever else is pressed by now: a released key must not keep moving the view.
    const auto action = actionOfKey(event->key(), event->nativeScanCode(), Qt::NoModifier);
    if (event->isAutoRepeat() || !action || !hold(*action, false)) {
        QWidget::keyReleaseEvent(event);
    }
}

void TimelineWidget::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    parts_->framed = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    refresh();
}

void TimelineWidget::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    parts_->framed = false;
    refresh();
    parts_->view.hold({});  // the release of a held key will go elsewhere
}

}  // namespace rankscope::ui
