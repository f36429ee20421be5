// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "ui/timeline/frame.h"
#include "ui/timeline/selection.h"

namespace rankscope::ui {

/// A stretch of time across rows that the user drew, or is drawing.
struct AreaDrag {
    TimeNs from_ns = 0;  ///< on the axis; where the drag began
    TimeNs to_ns = 0;    ///< may be before from_ns
    int from_y = 0;      ///< logical pixels from the top of all rows
    int to_y = 0;
    [[nodiscard]] TimeSpan span() const { return {std::min(from_ns, to_ns), std::max(from_ns, to_ns)}; }
};

/// The tracks that `drag` touches, of the run that it began in: folded headers stand for what they hide, a folded rank
/// for its streams. Nothing where it touches none, or has no length.
[[nodiscard]] std::optional<AreaSelection> areaOf(const TimelineModel& model, const RowLayout& layout,
                                                  const AreaDrag& drag);

/// The start or end of a slice of the lane at (x, y) that lies within `reach` device pixels of x, on the axis.
[[nodiscard]] std::optional<TimeNs> edgeNear(const Frame& frame, const TimelineModel& model, int x, int y, int reach);

}  // namespace rankscope::ui
