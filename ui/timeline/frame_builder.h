// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>

#include "ui/theme/slice_colors.h"
#include "ui/timeline/frame.h"
#include "ui/timeline/label_text.h"
#include "ui/timeline/overlays.h"
#include "ui/timeline/row_layout.h"
#include "ui/timeline/timeline_model.h"
#include "ui/timeline/viewport.h"

namespace rankscope::ui {

/// What a frame looks at, beside the model and the rows.
struct FrameView {
    const Viewport* viewport = nullptr;
    RowScroll rows;
    int width = 0;   ///< of the tracks, logical pixels
    int height = 0;  ///< of the tracks, logical pixels
    OverlaySet overlays;
};

/// The colours of buckets of many slices: the middle of their hue, fainter the less of their place they cover.
class BucketFills {
  public:
    BucketFills(const SliceColors& colors, QRgb background);
    [[nodiscard]] QRgb fill(Hue hue, const LodItem& bucket) const {
        const double busy =
            static_cast<double>(bucket.busy_ns) / static_cast<double>(std::max<DurationNs>(1, bucket.span.length()));
        return fills_[static_cast<std::size_t>(hue)][static_cast<std::size_t>(std::min(busy, 1.0) * (kShares - 1))];
    }

  private:
    static constexpr std::size_t kShares = 147;  // as many as can be told apart
    std::array<std::array<QRgb, kShares>, kHueCount> fills_{};
};

/// Makes the draw list of what is in sight. Costs what is in sight: rows, and at most two items a pixel of each.
class FrameBuilder {
  public:
    /// For frames of so many device pixels a logical one.
    FrameBuilder(const Theme& theme, double pixel_ratio);

    /// `used` is a frame that is no longer needed: its memory is taken for the new one.
    [[nodiscard]] Frame build(const TimelineModel& model, const RowLayout& layout, const FrameView& view,
                              Frame used = {});

  private:
    struct LaneLook;

    void addRow(const TimelineModel& model, const RowLayout& layout, std::size_t i, const FrameView& view,
                Frame& frame);
    void addOverlays(const TimelineModel& model, const RowLayout& layout, std::size_t row, const FrameView& view,
                     Frame& frame);
    void addTrack(const RankView& rank, const LayoutRow& row, const FrameRow& place, Frame& frame);
    void addLane(const RankView& rank, FrameLane lane, Frame& frame);
    void addItem(const LaneLook& look, const FrameLane& lane, const LodItem& item, Frame& frame) const;
    [[nodiscard]] QRgb stepFill(const StepMark& step) const;
    void addLabels(const RankView& rank, const FrameLane& lane, Frame& frame) const;
    void addSteps(const RankView& rank, const FrameRow& place, Frame& frame) const;

    Theme theme_;
    SliceColors colors_;
    BucketFills bucket_fills_;
    TextMeasure measure_;
    RowSizes sizes_;
    double pixel_ratio_;
    std::optional<std::uint64_t> overlays_of_;  // the rank whose overlays the frame has already
    std::vector<LodItem> found_;                // scratch: a frame asks for hundreds of lanes
};

}  // namespace rankscope::ui
