// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline makes of the mouse and the keyboard.
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QWheelEvent>
#include <cmath>

#include "ui/timeline/timeline_impl.h"

namespace rankscope::ui {
namespace {

constexpr double kNotchDegrees = 120.0;  // of a wheel, in eighths of a degree
constexpr double kZoomPerNotch = 0.30;
constexpr double kPanPerNotch = 0.12;   // of the width
constexpr double kScrollPerNotch = 72;  // pixels: four rows
constexpr double kFitShare = 0.8;

}  // namespace

bool TimelineWidget::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        // While the timeline has the keyboard its keys are its own: a shortcut cannot be held down.
        const auto* key = static_cast<QKeyEvent*>(event);
        if (impl_->ownAction(*key)) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::Enter) {
        impl_->hover(static_cast<QEnterEvent*>(event)->position());  // a key may come before the first move
    }
    if (event->type() == QEvent::NativeGesture) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            const double x = impl_->inTracks(gesture->position()).x();
            impl_->scene.changeView().zoomAt(x, std::exp(-gesture->value()));
            impl_->changed();
            return true;
        }
    }
    return QWidget::event(event);
}

void TimelineWidget::wheelEvent(QWheelEvent* event) {
    Impl& i = *impl_;
    const bool pixels = !event->pixelDelta().isNull();
    const QPointF notches = QPointF(event->angleDelta()) / kNotchDegrees;
    const QPointF way =
        pixels ? QPointF(event->pixelDelta())
               : QPointF(notches.x() * kPanPerNotch * i.scene.viewport().width(), notches.y() * kScrollPerNotch);
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        i.motion.zoomBy(notches.y() * kZoomPerNotch, i.inTracks(event->position()).x());
        i.animate();
    } else if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        const double across = std::abs(notches.x()) > std::abs(notches.y()) ? notches.x() : notches.y();
        i.motion.panBy(-across * kPanPerNotch * i.scene.viewport().width());
        i.animate();
    } else {
        if (way.x() != 0 && pixels) {
            i.scene.changeView().panBy(-way.x());  // a trackpad has its own glide
        } else if (way.x() != 0) {
            i.motion.panBy(-way.x());
            i.animate();
        }
        i.scene.setScroll(i.scene.scroll() - static_cast<int>(std::lround(way.y())));
    }
    i.changed();
    event->accept();
}

void TimelineWidget::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) {
        return;
    }
    setFocus(Qt::MouseFocusReason);
    impl_->motion.stop();
    if (event->button() == Qt::LeftButton) {
        impl_->pressHead(impl_->inTracks(event->position()));
    }
    impl_->drag.press(event->globalPosition().toPoint(), event->button(), event->modifiers());
}

void TimelineWidget::mouseMoveEvent(QMouseEvent* event) {
    Impl& i = *impl_;
    if (i.head) {
        i.dragHead(i.inTracks(event->position()));
        return;
    }
    const QPoint origin = mapFromGlobal(i.drag.origin());
    const bool begun = tracksArea().contains(origin) || i.inRuler(i.inTracks(origin));
    if (i.drag.kind() == DragTracker::Kind::None || !begun) {
        i.hover(event->position());
        return;
    }
    i.dragBy(i.drag.move(event->globalPosition().toPoint()), event->modifiers());
}

void TimelineWidget::Impl::dragBy(const QPoint& way, Qt::KeyboardModifiers modifiers) {
    if (drag.kind() == DragTracker::Kind::Pan) {
        self->setCursor(Qt::ClosedHandCursor);
        scene.changeView().panBy(-way.x());
        scene.setScroll(scene.scroll() - way.y());
        changed();
    } else if (drag.kind() == DragTracker::Kind::Range) {
        dragArea(modifiers);
    }
}

void TimelineWidget::mouseReleaseEvent(QMouseEvent* event) {
    unsetCursor();
    impl_->editing_area = AreaEdit::None;
    if (impl_->dropHead()) {
        impl_->drag.cancel();
    } else if (impl_->drag.release() == DragTracker::Kind::Pressed && event->button() == Qt::LeftButton) {
        impl_->clickAt(event->position(), event->modifiers());
    }
}

void TimelineWidget::Impl::clickAt(const QPointF& at, Qt::KeyboardModifiers modifiers) {
    const QPointF p = inTracks(at);
    if (clickRuler(p) || p.y() < 0) {
        return;
    }
    const LayoutRow* row = scene.rowAt(p.y());
    // Beside a name one clicks to deselect, but what stands for alike ranks has nothing there.
    const bool header = row != nullptr && row->kind == RowKind::Alike;
    if (row != nullptr && (p.x() < 0 || header)) {
        scene.toggleFoldAt(p.y());
        changed();
        return;
    }
    if (area && modifiers.testFlag(Qt::ShiftModifier)) {
        extendArea(timeUnder(self->mapToGlobal(at.toPoint()), modifiers));
        return;
    }
    setArea({});
    choose(scene.hit(p).what);
    refresh();
}

void TimelineWidget::mouseDoubleClickEvent(QMouseEvent* event) {
    Impl& i = *impl_;
    const QPointF p = i.inTracks(event->position());
    if (p.x() < 0 || p.y() < 0) {
        mousePressEvent(event);  // a quick second click on a fold is a click
        return;
    }
    if (const Hit hit = i.scene.hit(p); hit.what.index() != 0) {
        i.choose(hit.what);
        fitSelection();
    } else if (const auto step = i.scene.stepAt(p)) {
        i.moveTo(i.scene.viewport().windowFitting(*step, kFitShare));
    }
}

void TimelineWidget::Impl::hover(const QPointF& at) {
    pointer = inTracks(at);
    motion.setPointer(pointer.x());
    const Hit hit = scene.hit(pointer);
    if (hit.what != hovered.what || hit.count != hovered.count) {
        tip = tipFor(scene.model(), hit, scene.theme());
    }
    hovered = hit;
    self->setCursor(cursorAt(pointer));
    refresh();
}

Qt::CursorShape TimelineWidget::Impl::cursorAt(const QPointF& at) const {
    if (areaEdgeAt(at) != AreaEdit::None) {
        return Qt::SplitHCursor;
    }
    if (inRuler(at)) {
        return at.y() >= -edgeSizes(scene.theme()).flags ? Qt::PointingHandCursor : Qt::ArrowCursor;
    }
    if (at.x() >= 0 || at.y() < 0 || scene.rowAt(at.y()) == nullptr) {
        return Qt::ArrowCursor;
    }
    const auto held = headAt(scene.layout(), scene.rows().toRows(static_cast<int>(at.y())));
    return held && held->kind == HeadDrag::Kind::Resize ? Qt::SplitVCursor : Qt::PointingHandCursor;
}

void TimelineWidget::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    impl_->forgetPointer();
}

void TimelineWidget::Impl::forgetPointer() {
    pointer = {-1, -1};
    hovered = {};
    tip = {};
    refresh();
}

std::optional<TimelineAction> TimelineWidget::Impl::ownAction(const QKeyEvent& event) const {
    const auto action = actionOfKey(event.key(), event.nativeScanCode(), event.modifiers());
    const bool held = action && (*action <= TimelineAction::PanRight || *action == TimelineAction::Clear);
    return only_held_keys && !held ? std::nullopt : action;
}

bool TimelineWidget::Impl::hold(TimelineAction action, bool down) {
    Motion::Held held = motion.held();
    const auto set = [down](int& direction, int value) {
        if (down) {
            direction = value;
        } else if (direction == value) {
            direction = 0;
        }
    };
    switch (action) {
        case TimelineAction::ZoomIn: set(held.zoom, 1); break;
        case TimelineAction::ZoomOut: set(held.zoom, -1); break;
        case TimelineAction::PanRight: set(held.pan, 1); break;
        case TimelineAction::PanLeft: set(held.pan, -1); break;
        default: return false;
    }
    if (pointer.x() < 0) {
        motion.setPointer(scene.viewport().width() / 2.0);
    }
    motion.hold(held);
    animate();
    return true;
}

void TimelineWidget::keyPressEvent(QKeyEvent* event) {
    const auto action = impl_->ownAction(*event);
    if (!action) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (event->isAutoRepeat() && impl_->motion.held().any()) {
        return;
    }
    if (!impl_->hold(*action, true)) {
        trigger(*action);
    }
}

void TimelineWidget::keyReleaseEvent(QKeyEvent* event) {
    const auto action = actionOfKey(event->key(), event->nativeScanCode(), event->modifiers() & ~Qt::ShiftModifier);
    if (event->isAutoRepeat() || !action || !impl_->hold(*action, false)) {
        QWidget::keyReleaseEvent(event);
    }
}

void TimelineWidget::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    impl_->framed = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    impl_->refresh();
}

void TimelineWidget::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    impl_->framed = false;
    impl_->refresh();
    impl_->motion.hold({});  // the release of a held key will go elsewhere
}

}  // namespace rankscope::ui
