// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "ui/timeline/frame/frame.h"
#include "ui/timeline/frame/label_text.h"
#include "ui/timeline/frame/overlays.h"
#include "ui/timeline/frame/slice_items.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/timeline_model.h"

namespace rankscope::ui {

/// The view of a frame, besides the model and the rows.
struct FrameView {
    const Viewport* viewport = nullptr;
    RowScroll rows;
    int width = 0;   ///< width of the tracks, logical pixels
    int height = 0;  ///< height of the tracks, logical pixels
    OverlaySet overlays;
};

/// Makes the draw list of everything in view. Its cost depends only on that: rows, and at most two items per pixel of
/// each.
class FrameBuilder {
  public:
    /// For frames with `pixel_ratio` device pixels per logical pixel.
    FrameBuilder(const Theme& theme, double pixel_ratio);

    /// `used` is a frame that is no longer needed: the new one reuses its memory.
    [[nodiscard]] Frame build(const TimelineModel& model, const RowLayout& layout, const FrameView& view,
                              Frame used = {});

  private:
    void addRow(const TimelineModel& model, const RowLayout& layout, std::size_t i, const FrameView& view,
                Frame& frame);
    void addOverlays(const TimelineModel& model, const RowLayout& layout, std::size_t row, const FrameView& view,
                     Frame& frame);
    /// `top` is the top of the row in logical pixels.
    void addTrack(const RankView& rank, const LayoutRow& row, const FrameRow& place, int top, Frame& frame);
    /// The row of slices that represents the host threads of a rank.
    void addLane(const RankView& rank, const LayoutRow& row, const FrameRow& place, Frame& frame);
    void addSliceRow(const RankView& rank, FrameSliceRow slice_row, Frame& frame);
    [[nodiscard]] QRgb stepFill(const DrawnStep& step) const;
    void addLabels(const RankView& rank, const FrameSliceRow& slice_row, Frame& frame) const;
    /// A row of a counter of `rank`, or of the run.
    void addCounter(const TimelineModel& model, const LayoutRow& row, const FrameRow& place,
                    std::optional<RankPosition> rank, Frame& frame) const;
    void addSteps(const RankView& rank, const FrameRow& place, Frame& frame) const;

    Theme theme_;
    SliceLooks looks_;
    TextMeasure measure_;
    RowSizes sizes_;
    double pixel_ratio_;
    std::optional<std::uint64_t> overlays_of_;  // the rank whose overlays are in the frame already
    std::vector<LodItem> scratch_;              // kept, since a frame makes hundreds of queries
};

}  // namespace rankscope::ui
