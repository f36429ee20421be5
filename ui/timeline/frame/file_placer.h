// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <limits>

#include "ui/timeline/frame/frame.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/timeline/timeline_model.h"

namespace rankscope::ui {

/// Converts the times of one rank's file to pixels of a frame. It copies what it needs: a frame converts hundreds of
/// thousands of times, and between writes a compiler could not exclude changes of the rank.
class FilePlacer {
  public:
    FilePlacer(const RankView& rank, const PixelScale& scale)
        : drifting_(rank.clock.drift_ppm != 0.0 ? &rank : nullptr),
          scale_(scale),
          to_axis_ns_(rank.clock.offset_ns - rank.base_ns) {}

    /// The device pixel of a time of the file, from the left edge of the tracks; far times are clamped well outside.
    [[nodiscard]] int pixelAt(TimeNs file_ns) const {
        return scale_.pixelAt(drifting_ != nullptr ? drifting_->toAxis(file_ns) : file_ns + to_axis_ns_);
    }

  private:
    const RankView* drifting_;  // nullptr if its clock does not drift
    PixelScale scale_;
    DurationNs to_axis_ns_;  // for a clock without drift
};

/// Places the spans of one row, in order of time, on its pixels.
class RowPlacer {
  public:
    RowPlacer(const RankView& rank, const Frame& frame) : file_(rank, frame.scale), width_(frame.width) {}

    /// Sets the pixels [x0, x1) of `drawn`, and returns whether they are in view. Each span has at least one pixel; a
    /// wide one does not cover the pixel of a short one before it, so that none disappears.
    template <class Drawn>
    [[nodiscard]] bool place(const TimeSpan& span, Drawn& drawn) {
        const std::int32_t first = file_.pixelAt(span.start_ns);
        const std::int32_t x1 = std::max(file_.pixelAt(span.end_ns), first + 1);
        // Without a branch, which would be unpredictable: spans may share a pixel or not.
        const std::int32_t x0 = std::max(first, std::min(covered_, x1 - 1));
        if (x1 <= 0 || x0 >= width_) {
            return false;
        }
        drawn.x0 = x0;
        drawn.x1 = covered_ = x1;
        return true;
    }

  private:
    FilePlacer file_;
    std::int32_t width_;
    std::int32_t covered_ = std::numeric_limits<std::int32_t>::min();  // the end of all visible spans so far
};

}  // namespace rankscope::ui
