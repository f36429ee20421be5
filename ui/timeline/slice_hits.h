// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <map>
#include <span>
#include <vector>

#include "ui/theme/theme.h"
#include "ui/timeline/frame.h"
#include "ui/timeline/selection.h"
#include "ui/timeline/timeline_model.h"

namespace rankscope::ui {

/// The slices that a search found, by the lane that they stand in.
class SliceHits {
  public:
    struct Lane {
        std::uint32_t run = 0;   ///< index among the open runs
        std::uint32_t rank = 0;  ///< index in Run::ranks
        TrackId track;
        std::uint16_t row = 0;
        friend auto operator<=>(const Lane&, const Lane&) = default;
    };

    /// Hits of one lane are added in order of time.
    void add(const Lane& lane, SliceIndex slice) { lanes_[lane].push_back(slice); }
    [[nodiscard]] std::span<const SliceIndex> on(const Lane& lane) const;

  private:
    std::map<Lane, std::vector<SliceIndex>> lanes_;
};

/// A stretch of pixels of a lane that hits cover: device pixels from the upper left corner of the tracks.
struct HitMark {
    std::int32_t x0 = 0;
    std::int32_t x1 = 0;
};

/// Where the hits of a lane are drawn: one look a pixel, whatever their number.
[[nodiscard]] std::vector<HitMark> hitMarks(const Frame& frame, const FrameLane& lane, const TimelineModel& model,
                                            const SliceHits& hits);
/// Marks the hits on all lanes of the frame, which lies at `tracks` of the widget.
void paintHits(QPainter& painter, const QRect& tracks, const Frame& frame, const TimelineModel& model,
               const SliceHits& hits, const Theme& theme);

}  // namespace rankscope::ui
