// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

#include "ui/theme/slice_colors.h"
#include "ui/theme/theme.h"
#include "ui/timeline/frame/frame.h"

namespace rankscope::ui {

/// How the marks of gaps look, for painting as pixels and as shapes.
struct GapLook {
    QRgb edge = 0;    ///< the first and the last pixel of a wide mark
    QRgb stripe = 0;  ///< stripes of the hatching
    QRgb back = 0;    ///< space between the stripes
    int period = 1;   ///< device pixels from stripe to stripe, half of it stripe; stripes lean left towards the bottom
    int phase = 0;    ///< a stripe begins where x + y - top of the mark + phase is a multiple of the period

    /// Stripes are fixed to the time axis and to the mark, so they move with the view.
    GapLook(const Frame& frame, const Theme& theme)
        : edge(theme.gap.rgb()),
          stripe(mix(theme.track.rgb(), edge, kStripe)),
          back(mix(theme.track.rgb(), edge, kBack)),
          period(static_cast<int>(std::lround(kPeriod * frame.pixel_ratio))),
          phase(static_cast<int>((frame.scale.origin_px % period + period) % period)) {}

    /// Whether a mark is too narrow for hatching: it is solid, in a colour that shows how much of it is blocked.
    [[nodiscard]] static bool isNarrow(const FrameGap& gap) { return gap.x1 - gap.x0 < kNarrow; }
    /// The amount of amber, out of 256, in a narrow mark that is hardly blocked, and in one that is fully blocked.
    static constexpr unsigned kFaintestMark = 70;
    static constexpr unsigned kStrongestMark = 140;

  private:
    static constexpr int kPeriod = 8;   // logical pixels
    static constexpr int kNarrow = 12;  // device pixels: in narrower marks, stripes would look solid
    static constexpr unsigned kBack = 34;
    static constexpr unsigned kStripe = 92;
};

}  // namespace rankscope::ui
