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
constexpr int kSnapReach = 15;  // pixels: the edge of an area takes that of a slice

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
    impl_->drag.press(event->globalPosition().toPoint(), event->button(), event->modifiers());
}

void TimelineWidget::mouseMoveEvent(QMouseEvent* event) {
    Impl& i = *impl_;
    const bool began_in_tracks = tracksArea().contains(mapFromGlobal(i.drag.origin()));
    if (i.drag.kind() == DragTracker::Kind::None || !began_in_tracks) {
        i.hover(event->position());
        return;
    }
    i.dragBy(i.drag.move(event->globalPosition().toPoint()), event->modifiers());
}

TimeNs TimelineWidget::Impl::timeUnder(const QPoint& global, Qt::KeyboardModifiers modifiers) {
    const QPointF at = inTracks(self->mapFromGlobal(QPointF(global)));
    const TimeSpan limits = scene.viewport().limits();
    const double ratio = self->devicePixelRatioF();
    if (!modifiers.testFlag(Qt::AltModifier)) {
        const auto edge = edgeNear(scene.frame(), scene.model(), static_cast<int>(at.x() * ratio),
                                   static_cast<int>(at.y() * ratio), static_cast<int>(kSnapReach * ratio));
        if (edge) {
            return *edge;
        }
    }
    return std::clamp(scene.viewport().timeAt(at.x()), limits.start_ns, limits.end_ns);
}

void TimelineWidget::Impl::setArea(std::optional<AreaDrag> wanted) {
    if (area || wanted) {
        area = wanted;
        Q_EMIT self->areaChanged(self->area());
        self->update();
    }
}

void TimelineWidget::Impl::dragBy(const QPoint& way, Qt::KeyboardModifiers modifiers) {
    if (drag.kind() == DragTracker::Kind::Pan) {
        self->setCursor(Qt::ClosedHandCursor);
        scene.changeView().panBy(-way.x());
        scene.setScroll(scene.scroll() - way.y());
        changed();
    } else if (drag.kind() == DragTracker::Kind::Range) {
        const auto rowsY = [&](const QPoint& global) {
            const double y = inTracks(self->mapFromGlobal(QPointF(global))).y();
            return std::clamp(static_cast<int>(y) + scene.scroll(), 0, std::max(0, scene.layout().height() - 1));
        };
        AreaDrag wanted = area.value_or(AreaDrag());
        if (!drawing_area) {
            drawing_area = true;
            wanted = {timeUnder(drag.origin(), modifiers), 0, rowsY(drag.origin()), 0};
        }
        wanted.to_ns = timeUnder(drag.last(), modifiers);
        wanted.to_y = rowsY(drag.last());
        tip = {};
        setArea(wanted);
    }
}

void TimelineWidget::mouseReleaseEvent(QMouseEvent* event) {
    unsetCursor();
    impl_->drawing_area = false;
    if (impl_->drag.release() == DragTracker::Kind::Pressed && event->button() == Qt::LeftButton) {
        impl_->clickAt(event->position(), event->modifiers());
    }
}

void TimelineWidget::Impl::clickAt(const QPointF& at, Qt::KeyboardModifiers modifiers) {
    const QPointF p = inTracks(at);
    if (clickRuler(p) || p.y() < 0) {
        return;
    }
    const LayoutRow* row = scene.rowAt(p.y());
    const bool header = row != nullptr && (row->kind == RowKind::Run || row->kind == RowKind::Group);
    if (row != nullptr && (p.x() < 0 || header)) {
        scene.toggleFoldAt(p.y());
        changed();
        return;
    }
    if (area && modifiers.testFlag(Qt::ShiftModifier)) {
        AreaDrag longer = *area;
        const TimeNs t = timeUnder(self->mapToGlobal(at.toPoint()), modifiers);
        const TimeSpan span = area->span();
        longer.from_ns = t > span.start_ns ? span.start_ns : span.end_ns;
        longer.to_ns = t;
        setArea(longer);
        return;
    }
    setArea({});
    choose(scene.hit(p).what);
    self->update();
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
    const bool names = pointer.x() < 0 && pointer.y() >= 0 && scene.rowAt(pointer.y()) != nullptr;
    self->setCursor(names ? Qt::PointingHandCursor : Qt::ArrowCursor);
    self->update();
}

void TimelineWidget::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    impl_->forgetPointer();
}

void TimelineWidget::Impl::forgetPointer() {
    pointer = {-1, -1};
    hovered = {};
    tip = {};
    self->update();
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

void TimelineWidget::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    impl_->motion.hold({});  // the release of a held key will go elsewhere
}

}  // namespace rankscope::ui
