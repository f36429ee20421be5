// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

#include "ui/theme/theme.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/frame.h"
#include "ui/timeline/label_cache.h"
#include "ui/timeline/strip_painter.h"

class QPainter;

namespace rankscope::ui {

/// Paints a draw list into an image of device pixels. All but text is written as runs of pixels; only text goes through
/// QPainter, that on slices and steps once for many frames.
class TracksPainter {
  public:
    TracksPainter(const Theme& theme, double pixel_ratio);

    void paint(const Frame& frame, const RowLayout& layout, QImage& image);

  private:
    void paintStragglers(const Frame& frame, const Canvas& canvas) const;
    void paintSolidLabels(const Frame& frame, const Canvas& all);
    void paintGapLabels(const Frame& frame, QImage& image);
    void paintPill(const FrameLabel& label, const Frame& frame, QPainter& painter) const;

    Theme theme_;
    StripPainter strips_;
    LabelCache texts_;
};

}  // namespace rankscope::ui
