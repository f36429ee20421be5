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
    RowAnchor from;
    RowAnchor to;  ///< may be above `from`
    [[nodiscard]] TimeSpan span() const { return {std::min(from_ns, to_ns), std::max(from_ns, to_ns)}; }
};

/// What a drag with the pointer does to an area.
enum class AreaEdit : std::uint8_t { None, Draw, DrawTime, From, To };

/// The tracks that `drag` touches, of the run that it began in: folded headers stand for what they hide, a folded rank
/// for its streams. Nothing where it touches none, or has no length.
[[nodiscard]] std::optional<AreaSelection> areaOf(const TimelineModel& model, const RowLayout& layout,
                                                  const AreaDrag& drag);

/// The area of a stretch of time from the uppermost to the lowest of `rows`; nothing where either is empty.
[[nodiscard]] std::optional<AreaDrag> dragOver(const RowLayout& layout, const TimeSpan& span,
                                               const std::vector<const LayoutRow*>& rows);

/// For a session.
[[nodiscard]] std::optional<TimelineState::MarkedArea> markedArea(const TimelineModel& model, const AreaDrag& area);
[[nodiscard]] std::optional<AreaDrag> dragOf(const TimelineModel& model, const TimelineState::MarkedArea& area);

/// The start or end of a slice of the lane at (x, y) that lies within `reach` device pixels of x, on the axis.
[[nodiscard]] std::optional<TimeNs> edgeNear(const Frame& frame, const TimelineModel& model, int x, int y, int reach);

}  // namespace rankscope::ui
