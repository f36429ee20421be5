// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

#include "ui/theme/theme.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/frame.h"
#include "ui/timeline/label_cache.h"

class QPainter;

namespace rankscope::ui {

/// Paints a draw list into an image of device pixels. Solids are written as runs of pixels, once for the first line of
/// a lane and copied to the others; only text goes through QPainter, that on slices once for many frames.
class TracksPainter {
  public:
    TracksPainter(const Theme& theme, double pixel_ratio);

    void paint(const Frame& frame, const RowLayout& layout, QImage& image);

  private:
    void paintRows(const Frame& frame, const RowLayout& layout, const Canvas& all);
    void paintSteps(const Frame& frame, const Canvas& canvas) const;
    void paintGaps(const Frame& frame, const Canvas& canvas);
    void paintHatch(const Frame& frame, const FrameGap& gap, const Canvas& canvas) const;
    void paintBands(const Frame& frame, const Canvas& canvas);
    void paintStragglers(const Frame& frame, const Canvas& canvas) const;
    void paintLane(const Frame& frame, const FrameLane& lane, const Canvas& canvas);
    void paintLabels(const Frame& frame, const Canvas& all, QImage& image);
    void paintPill(const FrameLabel& label, const Frame& frame, QPainter& painter) const;

    Theme theme_;
    LabelCache texts_;
    PixelLine line_;  // scratch: of one lane
};

}  // namespace rankscope::ui
