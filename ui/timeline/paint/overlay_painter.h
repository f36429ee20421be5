// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <vector>

#include "ui/theme/theme.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/frame/hit_test.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/timeline_model.h"

namespace rankscope::ui {

// What is painted over a finished frame and changes without it. All in logical pixels; `tracks` is the place of the
// frame.

/// The part of the tracks in which something at `rect` may be drawn: scrolling rows are clipped below the rows kept at
/// the top.
[[nodiscard]] QRect clipOf(const QRect& tracks, const Frame& frame, const FrameRect& rect);
/// Highlights all slices of the name whose hash is `name_hash`.
void paintSameName(QPainter& painter, const QRect& tracks, const Frame& frame, std::uint32_t name_hash,
                   const Theme& theme);
/// Outlines the selection.
void paintSelection(QPainter& painter, const QRect& tracks, const Frame& frame, const FrameRect& rect,
                    const Theme& theme);
/// Repaints the part of the critical path that an outline covers.
void paintPathOver(QPainter& painter, const QRect& tracks, const Frame& frame, const FrameRect& rect,
                   const Theme& theme);
/// An area with the length of its time; `area` is relative to the top left corner of the tracks.
void paintArea(QPainter& painter, const QRect& tracks, const QRectF& area, DurationNs length, const Theme& theme);
/// A line at the pointer.
void paintPointer(QPainter& painter, const QRect& tracks, int x, const Theme& theme);
/// Words in the middle of an empty timeline.
void paintEmpty(QPainter& painter, const QRect& tracks, const Theme& theme);

/// A part of a visible row of which its rank recorded nothing: before its first event, after its last, or between two
/// recorded windows. In device pixels of the tracks.
struct Untraced {
    std::int32_t x0 = 0;
    std::int32_t x1 = 0;
    FrameRow place;
    bool labelled = false;  ///< the header of a rank, if there is room for a text
    bool hole = false;      ///< between two recorded windows
};

/// All such parts of the rows of a frame. O(visible rows x visible recorded windows).
[[nodiscard]] std::vector<Untraced> untracedIn(const Frame& frame, const RowLayout& layout, const TimelineModel& model);

/// Marks those parts, so that they do not look like idle time. The frame is at `tracks` of the widget.
void paintUntraced(QPainter& painter, const QRect& tracks, const Frame& frame, const std::vector<Untraced>& parts,
                   const Theme& theme);

}  // namespace rankscope::ui
