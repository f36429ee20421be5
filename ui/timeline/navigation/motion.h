// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/navigation/viewport.h"

namespace rankscope::ui {

/// Moves a viewport smoothly. Whoever owns it calls advance() with the time that has passed, so a test can step it and
/// a screenshot can finish it. Key motions glide; what comes while a glide is under way adds to its rest.
class Motion {
  public:
    /// The directions that keys hold, each -1, 0 or 1.
    struct Held {
        int pan = 0;   ///< right is 1
        int zoom = 0;  ///< in is 1
        [[nodiscard]] bool any() const { return pan != 0 || zoom != 0; }
    };

    /// Other keys are held now: what is newly held begins with a step at once.
    void hold(Held held);
    [[nodiscard]] const Held& held() const { return held_; }
    /// Glides by `pixels` to the right.
    void panBy(double pixels);
    /// Glides to a window exp(-amount) times as long, around `x`.
    void zoomBy(double amount, double x);
    /// Where key zooming is centred.
    void setPointer(double x) { zoom_x_ = x; }
    /// Goes to `window` in 300 ms; at once when another such move is under way or just over, so that a held key never
    /// lags behind. `now_ms` is on any clock that runs on while nothing moves.
    void moveTo(const TimeSpan& window, double now_ms, Viewport& viewport);

    /// Where the view comes to rest if it is on its way to a window, else where it is.
    [[nodiscard]] TimeSpan destination(const Viewport& viewport) const { return travelling_ ? to_ : viewport.window(); }
    /// Whether advance() would still move the view.
    [[nodiscard]] bool moving() const;
    /// Carries the view on by `ms` milliseconds. True while there is more to come.
    bool advance(double ms, Viewport& viewport);
    /// Brings the view to where it would come to rest. Held keys are let go.
    void finish(Viewport& viewport);
    /// Stops where the view is.
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
    double hurried_until_ms_ = 0;  // until then a move is asked for in haste
    TimeSpan from_;
    TimeSpan to_;
};

}  // namespace rankscope::ui
