// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "ui/timeline/rows/row_layout.h"

namespace rankscope::ui {

/// Dragging a track's name in the column of headers: its lower edge changes the height of its rows, the rest of it
/// moves the track within its list, or among the pinned ones. Heights are logical pixels from the top of all rows.
class HeaderDrag {
  public:
    /// What a press grabs.
    enum class Kind : std::uint8_t { Move, Resize };

    /// What a press on the names at `y` would grab; nothing if there is no track.
    [[nodiscard]] static std::optional<Kind> kindAt(const RowLayout& layout, int y);

    /// Grabs the track at `y`. False if there is none.
    bool press(const RowLayout& layout, int y);
    /// Whether a name is grabbed, moved or not.
    [[nodiscard]] bool pressed() const { return held_.has_value(); }
    /// Follows the pointer to `y`. Up to four pixels away from the press it is still a click.
    void moveTo(const TimelineModel& model, const RowLayout& layout, int y);
    /// While an edge is dragged: writes the resulting height of one row of slices into `choices`, 12 to 96 logical
    /// pixels. False if nothing is being resized.
    bool resize(RowChoices& choices) const;
    /// While a track is dragged: where it would be put; else nothing.
    [[nodiscard]] std::optional<int> dropLine() const;
    /// Ends the drag; puts a moved track at its new position. True if it was a drag, not a click.
    bool drop(const TimelineModel& model, RowChoices& choices);
    /// Ends the drag without any change.
    void cancel() { held_.reset(); }

  private:
    struct Held {
        Kind kind = Kind::Move;
        LayoutRow row;  // as it was at the press
        int pressed_y = 0;
        int y = 0;
        bool begun = false;   // it has moved too far to be a click
        int line_y = 0;       // for Move: where the row would be put
        RowKey before;        // for Move: the row that it would come before
        bool at_end = false;  // for Move: it would come last, and `before` is not used
    };
    std::optional<Held> held_;
};

}  // namespace rankscope::ui
