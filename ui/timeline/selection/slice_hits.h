// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <cstddef>
#include <span>
#include <unordered_map>
#include <vector>

#include "ui/theme/theme.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/selection/selection.h"
#include "ui/timeline/timeline_model.h"

namespace rankscope::ui {

/// The slices that a search found, by row.
class SliceHits {
  public:
    struct Row {
        std::uint32_t run = 0;  ///< index among the open runs
        RankPosition rank;
        TrackId track;
        std::uint16_t depth = 0;  ///< nesting depth of the slices, 0 at the top of the track
        friend bool operator==(const Row&, const Row&) = default;
    };

    /// Hits of one row are added in order of time.
    void add(const Row& row, SliceIndex slice) { rows_[row].push_back(slice); }
    /// The hits of one row, in order of time. O(1).
    [[nodiscard]] std::span<const SliceIndex> on(const Row& row) const;

  private:
    struct Hash {
        [[nodiscard]] std::size_t operator()(const Row& row) const;
    };

    std::unordered_map<Row, std::vector<SliceIndex>, Hash> rows_;
};

/// A stretch of pixels of a row that hits cover: device pixels from the top left corner of the tracks.
struct HitStretch {
    std::int32_t x0 = 0;
    std::int32_t x1 = 0;
};

/// Where the hits of a row are drawn; one query per pixel, for any number of hits.
[[nodiscard]] std::vector<HitStretch> hitStretches(const Frame& frame, const FrameSliceRow& slice_row,
                                                   const TimelineModel& model, const SliceHits& hits);
/// Marks the hits on all rows of the frame, which is at `tracks` of the widget.
void paintHits(QPainter& painter, const QRect& tracks, const Frame& frame, const TimelineModel& model,
               const SliceHits& hits, const Theme& theme);

}  // namespace rankscope::ui
