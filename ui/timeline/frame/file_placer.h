// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <limits>

#include "ui/timeline/frame/frame.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/timeline/timeline_model.h"

namespace rankscope::ui {

/// Places the times of one rank's file on the pixels of a frame. It holds what that takes by value: a frame places
/// hundreds of thousands, between writes that a compiler cannot tell from changes of the rank.
class FilePlacer {
  public:
    FilePlacer(const RankView& rank, const PixelScale& scale)
        : drifting_(rank.clock.drift_ppm != 0.0 ? &rank : nullptr),
          scale_(scale),
          to_axis_ns_(rank.clock.offset_ns - rank.base_ns) {}

    /// The device pixel that a time of the file falls into, from the left edge of the tracks; far times stop well
    /// outside.
    [[nodiscard]] int pixelAt(TimeNs file_ns) const {
        return scale_.pixelAt(drifting_ != nullptr ? drifting_->toAxis(file_ns) : file_ns + to_axis_ns_);
    }

  private:
    const RankView* drifting_;  // nullptr where its clock does not drift
    PixelScale scale_;
    DurationNs to_axis_ns_;  // of a clock that does not drift
};

/// Places the spans of one row, which come in order of time, on its pixels.
class RowPlacer {
  public:
    RowPlacer(const RankView& rank, const Frame& frame) : file_(rank, frame.scale), width_(frame.width) {}

    /// Sets the pixels [x0, x1) of `drawn`, and returns whether they are in view. Each span has at least one pixel; a
    /// wide one leaves the pixel of a short one before it alone, so that none vanishes.
    template <class Drawn>
    [[nodiscard]] bool place(const TimeSpan& span, Drawn& drawn) {
        const std::int32_t first = file_.pixelAt(span.start_ns);
        const std::int32_t x1 = std::max(file_.pixelAt(span.end_ns), first + 1);
        // Without a branch: no processor can foretell which spans share a pixel.
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
    std::int32_t covered_ = std::numeric_limits<std::int32_t>::min();  // the end of what is in sight so far
};

}  // namespace rankscope::ui
