// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/navigation/viewport.h"

namespace rankscope::ui {

/// Moves a viewport smoothly. Its owner calls advance() with the elapsed time, so a test can step it and a screenshot
/// can finish it. Key motions glide; a new one during a glide adds to its rest.
class Motion {
  public:
    /// The directions that keys hold, each -1, 0 or 1.
    struct Held {
        int pan = 0;   ///< right is 1
        int zoom = 0;  ///< in is 1
        [[nodiscard]] bool any() const { return pan != 0 || zoom != 0; }
    };

    /// Sets the held keys: a newly held one begins with a step at once.
    void hold(Held held);
    [[nodiscard]] const Held& held() const { return held_; }
    /// Glides by `pixels` to the right.
    void panBy(double pixels);
    /// Glides to a window exp(-amount) times as long, around `x`.
    void zoomBy(double amount, double x);
    /// Sets where key zooming is centred.
    void setPointer(double x) { zoom_x_ = x; }
    /// Moves to `window` in 300 ms; at once if another such move is running or has just ended, so that a held key does
    /// not lag. `now_ms` is on any clock that also runs while nothing moves.
    void moveTo(const TimeSpan& window, double now_ms, Viewport& viewport);

    /// The end of the current move to a window, else the current window.
    [[nodiscard]] TimeSpan destination(const Viewport& viewport) const { return travelling_ ? to_ : viewport.window(); }
    /// Whether advance() would still move the view.
    [[nodiscard]] bool moving() const;
    /// Advances the view by `ms` milliseconds. Returns whether there is more to come.
    bool advance(double ms, Viewport& viewport);
    /// Moves the view to where it would come to rest. Held keys are released.
    void finish(Viewport& viewport);
    /// Stops at the current position.
    void stop();

  private:
    void pushHeld(double ms, int width);
    void followTarget(double ms, Viewport& viewport);

    Held held_;
    double held_ms_ = 0;
    double pan_rest_px_ = 0;
    double zoom_rest_ = 0;  // log of the factor
    double zoom_x_ = 0;
    bool travelling_ = false;
    double travel_ms_ = 0;
    double hurried_until_ms_ = 0;  // until then moves are considered to be in quick succession
    TimeSpan from_;
    TimeSpan to_;
};

}  // namespace rankscope::ui
