// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/base/time.h"

namespace rankscope::ui {

/// Converts times to pixels. The pixel grid is absolute: panning moves every mark by the same whole number of pixels,
/// so that nothing jitters.
struct PixelScale {
    double pixels_per_ns = 1.0;
    std::int64_t origin_px = 0;  ///< the pixel of the window's left edge, counted from time zero

    /// The pixel of time `t`, from the window's left edge; far times are clamped well outside any window.
    [[nodiscard]] int pixelAt(TimeNs t) const {
        // Eight instructions without a branch on plain x86-64, since a frame converts hundreds of thousands of times.
        // The truncated part below zero is its own floor; the difference loses only a billionth of a pixel.
        const double first = static_cast<double>(origin_px) - kFar;
        const double last = static_cast<double>(origin_px) + kFar;
        const double x = std::min(std::max(static_cast<double>(t) * pixels_per_ns, first), last);
        return static_cast<int>(x - first) - kFar;
    }
    /// The first time of a pixel.
    [[nodiscard]] TimeNs timeAt(int pixel) const;

  private:
    static constexpr int kFar = 1'000'000;
};

/// The visible part of the axis, with all arithmetic of panning and zooming. The axis is relative: a run's base is 0.
/// Positions are in pixels of the same kind as the width, from the left edge of the tracks.
class Viewport {
  public:
    static constexpr double kFitShare = 0.8;  ///< the usual share of the width for a fitted target
    static constexpr DurationNs kMinSpanNs = 10;

    /// Sets the extent of the content. The view stays, as far as the limits allow; a view of everything still shows
    /// everything.
    void setExtent(const TimeSpan& extent);
    [[nodiscard]] const TimeSpan& extent() const { return extent_; }
    /// The extent with a 1 % margin at both ends: the limits of the view.
    [[nodiscard]] TimeSpan limits() const;

    /// Keeps the window and changes the scale.
    void setWidth(int pixels);
    [[nodiscard]] int width() const { return width_; }

    /// The visible part of the axis, in whole nanoseconds; at least kMinSpanNs.
    [[nodiscard]] TimeSpan window() const;
    /// Clamped to the limits and to kMinSpanNs.
    void setWindow(const TimeSpan& window);
    /// Shows a window that another view sets, also beyond the limits; the view may then be moved back.
    void follow(const TimeSpan& window);
    /// A window with `target` in the middle, filling `share` (0 to 1] of the width. For an empty target, the current
    /// window divided by 500.
    [[nodiscard]] TimeSpan windowFitting(const TimeSpan& target, double share) const;
    void fit(const TimeSpan& target, double share) { setWindow(windowFitting(target, share)); }
    void fitAll() { setWindow(limits()); }

    /// Makes the window `factor` times as long, keeping the time under `x`. Zooming by a factor and back restores the
    /// window to the nanosecond unless a limit was met.
    void zoomAt(double x, double factor);
    /// Moves the view right by `pixels`; fractions add up.
    void panBy(double pixels);

    /// The time at a position.
    [[nodiscard]] TimeNs timeAt(double x) const;
    /// The position of a time, which may be outside the width.
    [[nodiscard]] double xAt(TimeNs t) const;
    /// The scale for drawing at `device_pixels` of width.
    [[nodiscard]] PixelScale scale(int device_pixels) const;

  private:
    void clamp();
    /// The limits, and the window that was last followed.
    [[nodiscard]] TimeSpan reach() const;

    TimeSpan extent_{0, 1'000'000};
    TimeSpan followed_;          // empty: none
    double start_ns_ = -10'000;  // relative to the axis, to keep fractions of a nanosecond
    double span_ns_ = 1'020'000;
    int width_ = 1;
};

}  // namespace rankscope::ui
