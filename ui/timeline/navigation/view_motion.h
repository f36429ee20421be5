// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>

#include "ui/timeline/frame/frame_timer.h"
#include "ui/timeline/navigation/motion.h"
#include "ui/timeline/navigation/place_history.h"

namespace rankscope::ui {

class TimelineScene;

/// Moves the view of a scene, frame by frame, and returns to the places before jumps. Times are on the axis, in
/// nanoseconds; lengths are logical pixels.
class ViewMotion : public QObject {
    Q_OBJECT

  public:
    /// `scene` must outlive this.
    explicit ViewMotion(TimelineScene& scene) : scene_(scene) {
        connect(&frames_, &FrameTimer::beat, this, &ViewMotion::beat);
    }

    /// Moves to `window`, see Motion::moveTo(); changed() follows at once, and at each frame of the move.
    void travelTo(const TimeSpan& window);
    /// Glides by `pixels` to the right.
    void panBy(double pixels);
    /// Glides to a window exp(-amount) times as long, around `x`.
    void zoomBy(double amount, double x);
    /// Sets where held keys zoom.
    void setPointer(double x) { motion_.setPointer(x); }
    /// Sets the directions that keys hold now.
    void hold(Motion::Held held);
    [[nodiscard]] const Motion::Held& held() const { return motion_.held(); }
    /// Stops at the current position.
    void stop() { motion_.stop(); }
    /// Moves the view to where it would come to rest.
    void finish();

    /// Call before a jump, with the current selection. Jumps in quick succession are one walk, of which only the start
    /// is kept.
    void leave(const Selection& selection);
    /// The place before the last jump; the current one with `selection` is kept for forward(). Nothing if there is
    /// none.
    [[nodiscard]] std::optional<ViewPlace> back(const Selection& selection) { return places_.back(here(selection)); }
    /// The place that back() left.
    [[nodiscard]] std::optional<ViewPlace> forward(const Selection& selection) {
        return places_.forward(here(selection));
    }
    /// Returns to the window of such a place; ends a walk.
    void returnTo(const TimeSpan& window);
    /// The places before jumps.
    [[nodiscard]] PlaceHistory& places() { return places_; }

  Q_SIGNALS:
    /// The view may have changed.
    void changed();

  private:
    [[nodiscard]] ViewPlace here(const Selection& selection) const;
    void beat(double ms);

    TimelineScene& scene_;
    Motion motion_;
    FrameTimer frames_;
    PlaceHistory places_;
    double walk_until_ms_ = 0;  // until then another jump belongs to the same walk
};

}  // namespace rankscope::ui
