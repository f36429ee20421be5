// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/base/time.h"

class QPainter;
class QRect;

namespace rankscope::ui {

struct Frame;
struct Theme;

struct RulerTick {
    TimeNs at_ns = 0;
    bool major = false;
    QString label;  ///< for major ticks
};

/// The marks of a ruler over a window.
struct Ruler {
    std::vector<RulerTick> ticks;  ///< in order of time
    /// Labels that begin with "+" count from here; empty if they count from the run's start.
    QString anchor;
};

/// Major ticks at 1, 2 or 5 times a power of ten nanoseconds, at least `min_px` apart, with minor ones between them. If
/// fewer than two labels would fit, which shows no scale, ticks are closer, as far as labels fit.
[[nodiscard]] Ruler makeRuler(const TimeSpan& window, int width_px, int min_px);

/// Paints the ruler of a frame over its tracks into `area` and, left of it, the anchor of its labels into `corner`.
/// Both are logical pixels of the widget.
void paintRuler(QPainter& painter, const QRect& area, const QRect& corner, const Frame& frame, const Theme& theme);

}  // namespace rankscope::ui
