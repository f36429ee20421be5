// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <cstdint>
#include <span>
#include <vector>

#include "ui/theme/theme.h"
#include "ui/timeline/frame/hit_test.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/selection/finding_marks.h"
#include "ui/timeline/timeline_model.h"

namespace rankscope::ui {

/// How places are drawn, in device pixels of the tracks: a bar in the header of the rank, also if it
/// is folded, and an outline around its streams if there is room.
struct FindingMarkRects {
    std::vector<FrameRect> bars;
    std::vector<FrameRect> times;   ///< around the streams
    std::vector<FrameRect> slices;  ///< evidence
};

/// Where the marks are in a frame. Times of one rank that are too near to distinguish are merged. O(places + visible
/// rows).
[[nodiscard]] FindingMarkRects rectsOf(const FindingMarks& marks, const Frame& frame, const RowLayout& layout,
                                       const TimelineModel& model);

/// The same for places of a run, by its index among the open runs; they are sorted by rank. If not `outlined`, there
/// are only the bars.
[[nodiscard]] FindingMarkRects rectsOf(std::uint32_t run, std::span<const FindingPlace> places, bool outlined,
                                       const Frame& frame, const RowLayout& layout, const TimelineModel& model);

/// Draws them in a colour. `tracks` is the place of the frame, in logical pixels.
void paintPlaces(QPainter& painter, const QRect& tracks, const Frame& frame, const FindingMarkRects& rects,
                 const QColor& colour, const Theme& theme);
/// Draws them in the colour of the finding's severity.
void paintFinding(QPainter& painter, const QRect& tracks, const Frame& frame, const FindingMarkRects& rects,
                  Severity severity, const Theme& theme);

}  // namespace rankscope::ui
