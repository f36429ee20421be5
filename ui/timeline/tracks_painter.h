// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <vector>

#include "ui/theme/theme.h"
#include "ui/timeline/frame.h"
#include "ui/timeline/label_text.h"

namespace rankscope::ui {

/// Paints a draw list into an image of device pixels. Solids are written as runs of pixels, once for the first line of
/// a lane and copied to the others; only text goes through QPainter.
class TracksPainter {
  public:
    TracksPainter(const Theme& theme, double pixel_ratio);

    void paint(const Frame& frame, const RowLayout& layout, QImage& image);

  private:
    struct Run {
        std::int32_t first = 0;
        std::int32_t last = 0;
    };

    void paintRows(const Frame& frame, const RowLayout& layout, QImage& image) const;
    void paintSteps(const Frame& frame, QImage& image) const;
    void paintGaps(const Frame& frame, QImage& image) const;
    void paintLane(const Frame& frame, const FrameLane& lane, QImage& image);
    void paintLabels(const Frame& frame, QImage& image) const;

    Theme theme_;
    QFont font_;
    TextMeasure measure_;
    std::vector<QRgb> line_;  // scratch: the pixels of one lane
    std::vector<Run> runs_;   // scratch: where line_ is set
};

}  // namespace rankscope::ui
