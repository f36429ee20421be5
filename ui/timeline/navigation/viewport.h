// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/base/time.h"

namespace rankscope::ui {

/// Places times on pixels. The grid of pixels is absolute: panning moves every mark by the same whole number of
/// pixels, so that nothing trembles.
struct PixelScale {
    double pixels_per_ns = 1.0;
    std::int64_t origin_px = 0;  ///< the pixel of the window's left edge, counted from time zero

    /// The pixel that `t` falls into, from the window's left edge; far times stop well outside any window.
    [[nodiscard]] int pixelAt(TimeNs t) const {
        // Eight instructions without a branch on plain x86-64, as a frame asks for hundreds of thousands of pixels.
        // What is cut off below zero is its own floor, and a billionth of a pixel is all that the difference loses.
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

/// Which stretch of the axis is in sight, and all arithmetic of panning and zooming. The axis is relative: a run's base
/// is 0. Positions are in pixels of whatever kind the width is given in, from the left edge of the tracks.
class Viewport {
  public:
    static constexpr double kFitShare = 0.8;  ///< the usual share of the width for what is fitted into it
    static constexpr DurationNs kMinSpanNs = 10;

    /// What there is to see. The view stays, as far as the limits allow; one that showed all still does.
    void setExtent(const TimeSpan& extent);
    [[nodiscard]] const TimeSpan& extent() const { return extent_; }
    /// The extent with 1 % of gutter at both ends: as far as the view goes.
    [[nodiscard]] TimeSpan limits() const;

    /// Keeps the window and changes the scale.
    void setWidth(int pixels);
    [[nodiscard]] int width() const { return width_; }

    /// The stretch of the axis in sight, to whole nanoseconds; kMinSpanNs at least.
    [[nodiscard]] TimeSpan window() const;
    /// Clamped to the limits and to kMinSpanNs.
    void setWindow(const TimeSpan& window);
    /// Shows a window that another view dictates, beyond the limits too; from there the view may be moved back.
    void follow(const TimeSpan& window);
    /// `target` in the middle, filling `share` (0 to 1] of the width. A target without length is shown 500 times
    /// closer.
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
    /// The position of a time, which may be outside of the width.
    [[nodiscard]] double xAt(TimeNs t) const;
    /// The scale for drawing at `device_pixels` of width.
    [[nodiscard]] PixelScale scale(int device_pixels) const;

  private:
    void clamp();
    /// The limits, and what was last dictated.
    [[nodiscard]] TimeSpan reach() const;

    TimeSpan extent_{0, 1'000'000};
    TimeSpan followed_;          // empty: nothing was dictated
    double start_ns_ = -10'000;  // relative to the axis, so a fraction of a nanosecond survives
    double span_ns_ = 1'020'000;
    int width_ = 1;
};

}  // namespace rankscope::ui
