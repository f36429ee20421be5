// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/frame/frame.h"

namespace rankscope::ui {

/// What lies under a point of the tracks.
struct Hit {
    Selection what;                            ///< a slice, a gap, or nothing
    std::uint32_t count = 0;                   ///< slices or gaps that are drawn there as one
    const FrameItem* item = nullptr;           ///< of the frame, for a slice
    const FrameSliceRow* slice_row = nullptr;  ///< of the frame, for a slice
};

/// Reads the draw list, so that what is seen is what is hit. The topmost thing at the point wins; beside it a thin
/// slice counts up to `tolerance` device pixels away.
[[nodiscard]] Hit hitTest(const Frame& frame, int x, int y, int tolerance);

/// Device pixels from the upper left corner of the tracks.
struct FrameRect {
    std::int32_t x0 = 0;
    std::int32_t x1 = 0;
    std::int32_t y = 0;
    std::int32_t height = 0;
    [[nodiscard]] bool empty() const { return x1 <= x0 || height <= 0; }
};
/// Where `selection` is drawn in the frame: a slice of a pinned track in two places.
[[nodiscard]] std::vector<FrameRect> rectsOf(const Frame& frame, const TimelineModel& model,
                                             const Selection& selection);

}  // namespace rankscope::ui
