// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPointF>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "ui/timeline/frame/frame_builder.h"
#include "ui/timeline/frame/hit_test.h"
#include "ui/timeline/paint/tracks_painter.h"

namespace rankscope::ui {

/// The input of a frame.
struct FrameSource {
    const TimelineModel& model;
    const RowLayout& layout;
    FrameView view;
};

/// From rows and slices to pixels, in three stages: the draw list of everything in view, its picture, and the hit test.
/// Each stage is computed on request and kept until outdate().
class FramePipeline {
  public:
    /// `pixel_ratio`: device pixels per logical pixel.
    explicit FramePipeline(const Theme& theme, double pixel_ratio = 1.0);

    /// Sets the theme; the frame is built and painted again.
    void setTheme(const Theme& theme);
    /// Sets the scale, in device pixels per logical pixel; the frame is built and painted again.
    void setPixelRatio(double pixel_ratio);
    [[nodiscard]] const Theme& theme() const { return theme_; }

    /// The source has changed: the next request builds the frame again.
    void outdate();
    /// The draw list. Unchanged until outdate(), for any `source`. Its cost depends on what is in view.
    [[nodiscard]] const Frame& frame(const FrameSource& source);
    /// How often the draw list was built: a number for the latest one, from 1.
    [[nodiscard]] std::uint64_t frames() const { return frames_; }
    /// The painted frame, QImage::Format_RGB32 with its device pixel ratio.
    [[nodiscard]] const QImage& image(const FrameSource& source);
    /// What is drawn at a point, in logical pixels from the top left corner of the tracks; nothing outside them.
    [[nodiscard]] Hit hit(const FrameSource& source, const QPointF& at);

  private:
    /// Resizes the image. The first write to fresh memory costs more than painting the frame, so existing memory is
    /// reused if it is large enough.
    void resizeImage(int width, int height);

    Theme theme_;
    double pixel_ratio_;
    std::optional<FrameBuilder> builder_;  // nothing after a change of the theme or the scale, like the painter
    std::optional<TracksPainter> painter_;
    std::optional<Frame> frame_;  // nothing if it must be built again
    Frame spare_;                 // the previous frame, for its memory
    QImage image_;                // a view of memory_
    std::unique_ptr<uchar[]> memory_;
    std::size_t bytes_ = 0;  // size of memory_
    bool painted_ = false;
    std::uint64_t frames_ = 0;
};

}  // namespace rankscope::ui
