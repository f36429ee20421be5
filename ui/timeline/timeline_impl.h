// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QScrollBar>
#include <QTimer>
#include <optional>

#include "ui/timeline/motion.h"
#include "ui/timeline/timeline_scene.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/timeline/tooltip.h"

class QKeyEvent;
class QPainter;

namespace rankscope::ui {

/// What the widget holds; private to its source files.
struct TimelineWidget::Impl {
    /// A range of time that the user drew.
    struct TimeRange {
        TimeNs from_ns = 0;
        TimeNs to_ns = 0;
    };

    Impl(TimelineWidget* widget, const Theme& theme) : self(widget), scene(theme), bar(Qt::Vertical, widget) {}

    void changed();
    void animate();
    void tick();
    void moveTo(const TimeSpan& window);
    void choose(const Selection& wanted);
    void go(const Selection& wanted);
    void hover(const QPointF& at);
    void clickAt(const QPointF& at);
    void dragBy(const QPoint& way);
    void paint(QPainter& painter);
    /// Presses or lets go of a key that moves the view for as long as it is held; false for other keys.
    bool hold(TimelineAction action, bool down);
    /// The action of a key that the widget handles itself.
    [[nodiscard]] std::optional<TimelineAction> ownAction(const QKeyEvent& event) const;
    [[nodiscard]] QPointF inTracks(const QPointF& at) const { return at - QPointF(self->tracksArea().topLeft()); }

    TimelineWidget* self;
    TimelineScene scene;
    IndexStore store;
    Motion motion;
    QScrollBar bar;
    QTimer timer;
    QElapsedTimer clock;
    DragTracker drag;
    Selection selected;
    Hit hovered;  // points into the scene's frame: cleared with it
    Tip tip;
    bool only_held_keys = false;
    QPointF pointer{-1, -1};  // in the tracks; left of them over the names
    std::optional<TimeRange> range;
};

}  // namespace rankscope::ui
