// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

#include "ui/theme/theme.h"
#include "ui/timeline/frame/canvas.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/frame/label_cache.h"
#include "ui/timeline/paint/strip_painter.h"

class QPainter;
class QRect;

namespace rankscope::ui {

/// Paints a draw list into an image of device pixels. Everything except text is written as runs of pixels; only text
/// uses QPainter, and text on slices and steps is cached over many frames.
class TracksPainter {
  public:
    TracksPainter(const Theme& theme, double pixel_ratio);

    /// Paints the frame over all of `image`, which is QImage::Format_RGB32 and as large as the frame. The cost depends
    /// on the pixels and the labels.
    void paint(const Frame& frame, const RowLayout& layout, QImage& image);

  private:
    void paintStragglers(const Frame& frame, const Canvas& canvas) const;
    void paintPath(const Frame& frame, const Canvas& all) const;
    void paintSolidLabels(const Frame& frame, const Canvas& all);
    void paintGapLabels(const Frame& frame, QImage& image);
    void paintPill(const FrameLabel& label, const Frame& frame, QPainter& painter) const;

    Theme theme_;
    StripPainter strips_;
    LabelCache texts_;
};

/// Paints a draw list as shapes and text instead of pixels, for drawings that are enlarged or edited: the same content
/// as TracksPainter. `tracks` is the place of the frame, in logical pixels.
void paintShapes(QPainter& painter, const QRect& tracks, const Frame& frame, const RowLayout& layout,
                 const Theme& theme);

}  // namespace rankscope::ui
