// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPointF>
#include <cstddef>
#include <memory>
#include <optional>

#include "ui/timeline/frame/frame_builder.h"
#include "ui/timeline/frame/hit_test.h"
#include "ui/timeline/paint/tracks_painter.h"

namespace rankscope::ui {

/// What a frame is built from.
struct FrameSource {
    const TimelineModel& model;
    const RowLayout& layout;
    FrameView view;
};

/// From rows and slices to pixels, in three stages: the draw list of what is in sight, its picture, and what is
/// under a point of it. Each stage is worked out when it is asked for and kept until `outdate`.
class FramePipeline {
  public:
    /// `pixel_ratio` is in device pixels a logical one.
    explicit FramePipeline(const Theme& theme, double pixel_ratio = 1.0);

    /// Another theme: the frame is built and painted again.
    void setTheme(const Theme& theme);
    /// Another scale, in device pixels a logical one: the frame is built and painted again.
    void setPixelRatio(double pixel_ratio);
    [[nodiscard]] const Theme& theme() const { return theme_; }

    /// The source has changed: the frame is built again when it is next asked for.
    void outdate();
    /// The draw list. Until `outdate` the same, whatever `source` says. Costs what is in sight.
    [[nodiscard]] const Frame& frame(const FrameSource& source);
    /// The painted frame, of QImage::Format_RGB32 and with the device pixel ratio set.
    [[nodiscard]] const QImage& image(const FrameSource& source);
    /// What is drawn at a point, in logical pixels from the upper left corner of the tracks; nothing outside of them.
    [[nodiscard]] Hit hit(const FrameSource& source, const QPointF& at);

  private:
    /// Gives the image another size. The first write to fresh memory costs more than painting the frame, so memory
    /// that was written before is used again where it is large enough.
    void resizeImage(int width, int height);

    Theme theme_;
    double pixel_ratio_;
    std::optional<FrameBuilder> builder_;  // nothing after the theme or the scale has changed, like the painter
    std::optional<TracksPainter> painter_;
    std::optional<Frame> frame_;  // nothing when it must be built again
    Frame spare_;                 // the memory of the last one
    QImage image_;                // in memory_
    std::unique_ptr<uchar[]> memory_;
    std::size_t bytes_ = 0;  // of memory_
    bool painted_ = false;
};

}  // namespace rankscope::ui
