// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "ui/timeline/frame/frame.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

/// A span of time across rows, as drawn with the pointer.
struct AreaExtent {
    TimeNs from_ns = 0;  ///< on the axis; the start of the drag
    TimeNs to_ns = 0;    ///< on the axis; may be before from_ns
    RowAnchor from;
    RowAnchor to;  ///< may be above `from`
    [[nodiscard]] TimeSpan span() const { return {std::min(from_ns, to_ns), std::max(from_ns, to_ns)}; }
    friend bool operator==(const AreaExtent&, const AreaExtent&) = default;
};

/// A point of the tracks in the terms of an area.
struct AreaPoint {
    TimeNs at_ns = 0;  ///< on the axis
    RowAnchor row;
};

/// What a drag with the pointer does to an area.
enum class AreaEdit : std::uint8_t {
    None,
    Draw,      ///< a new one, in time and across rows
    DrawTime,  ///< a new one, in time across all rows
    From,      ///< moves the edge at AreaExtent::from_ns
    To,        ///< moves the edge at AreaExtent::to_ns
};

/// The area whose contents are measured: a span of time on some rows, or none. It is drawn and changed by drags, and
/// can be made from the selection; anchors keep it on its rows when others fold or move.
class MeasuredArea {
  public:
    /// The extent of the area; nothing if there is none.
    [[nodiscard]] const std::optional<AreaExtent>& extent() const { return extent_; }
    void set(const std::optional<AreaExtent>& extent) {
        extent_ = extent;
        first_ns_.reset();
    }
    /// The measured tracks and time, for a panel; nothing if the area touches no track or has zero length.
    [[nodiscard]] std::optional<AreaSelection> selection(const TimelineModel& model, const RowLayout& layout) const;

    /// What a press at `x` (logical pixels from the left edge of the tracks) and `y` (logical pixels from the top of
    /// all rows) would move: From or To within 5 pixels of an edge, else None.
    [[nodiscard]] AreaEdit edgeAt(double x, int y, const RowLayout& layout, const Viewport& viewport) const;

    /// What the current drag does; None if there is none.
    [[nodiscard]] AreaEdit editing() const { return editing_; }
    /// Begins a drag at `origin`: Draw and DrawTime start a new area there, From and To grab an edge.
    void beginDrag(AreaEdit edit, const AreaPoint& origin, const RowLayout& layout);
    /// Continues the drag to the current position of the pointer.
    void dragTo(const AreaPoint& to);
    void endDrag() { editing_ = AreaEdit::None; }

    /// The first end of a time range, while the other is not chosen yet; on the axis.
    [[nodiscard]] const std::optional<TimeNs>& firstPlace() const { return first_ns_; }
    /// Shift+click: without an area it chooses one end of a time range, and then the other, which makes an area of that
    /// time across all rows; with an area it is extendTo().
    void clickRange(TimeNs at_ns, const RowLayout& layout);

    /// Moves an end to `at_ns`, as Shift+click does: the end if `at_ns` is after the start, else the start. Does
    /// nothing without an area.
    void extendTo(TimeNs at_ns);
    /// Extends the area to cover `other` too, in time and rows; becomes `other` if there is no area.
    void cover(const AreaExtent& other, const RowLayout& layout);
    /// Covers the whole time `all`: on the area's rows, else on `rows`, else on all rows of the layout; also on all
    /// rows if the area covered the whole time already.
    void coverTime(const TimeSpan& all, const RowLayout& layout, const std::vector<const LayoutRow*>& rows);

  private:
    std::optional<AreaExtent> extent_;
    std::optional<TimeNs> first_ns_;
    AreaEdit editing_ = AreaEdit::None;
};

/// The area of a span of time from the topmost to the lowest of `rows`; nothing if either is empty.
[[nodiscard]] std::optional<AreaExtent> extentOver(const RowLayout& layout, const TimeSpan& span,
                                                   const std::vector<const LayoutRow*>& rows);
/// The same across all rows of the layout.
[[nodiscard]] std::optional<AreaExtent> extentOverAll(const RowLayout& layout, const TimeSpan& span);
/// The rows on which the selection is drawn: the track of a slice, or the header and the streams of a rank.
[[nodiscard]] std::vector<const LayoutRow*> rowsOf(const RowLayout& layout, const Selection& selection);

/// An extent for a session, by places among the open runs instead of pointers; nothing if a row is gone.
[[nodiscard]] std::optional<TimelineState::MarkedArea> savedExtent(const TimelineModel& model,
                                                                   const AreaExtent& extent);
/// The extent from a session; nothing if there are no such rows.
[[nodiscard]] std::optional<AreaExtent> restoredExtent(const TimelineModel& model,
                                                       const TimelineState::MarkedArea& area);

/// The extent on the same rows and slices of the next model, whose clocks may differ; nothing if a row is gone.
[[nodiscard]] std::optional<AreaExtent> carriedOver(const AreaExtent& extent, const TimelineModel& model,
                                                    const TimelineModel& earlier);

/// The start or end of a slice of the row at (x, y) that is within `reach` device pixels of x, on the axis: the edge of
/// an area snaps to it. Nothing for buckets of several slices.
[[nodiscard]] std::optional<TimeNs> edgeNear(const Frame& frame, const TimelineModel& model, int x, int y, int reach);

}  // namespace rankscope::ui
