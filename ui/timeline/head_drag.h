// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "ui/timeline/row_layout.h"

namespace rankscope::ui {

/// A track whose name is held: its lower edge makes its rows higher, the rest moves it among the tracks of its list, or
/// among the pinned ones. All in logical pixels.
struct HeadDrag {
    enum class Kind : std::uint8_t { Move, Resize };
    Kind kind = Kind::Move;
    LayoutRow row;        ///< as it was when it was pressed
    int pressed_y = 0;    ///< from the top of all rows
    bool begun = false;   ///< it has gone far enough to be no click
    int line_y = 0;       ///< of Move: where it would be put, from the top of all rows
    RowKey before;        ///< of Move: the row that it would stand before
    bool at_end = false;  ///< of Move: it would come last, and `before` says nothing
};

/// What pressing the names at `y` of the layout takes hold of; nothing where there is no track.
[[nodiscard]] std::optional<HeadDrag> headAt(const RowLayout& layout, int y);
/// Follows the pointer to `y` of the layout.
void moveHead(const TimelineModel& model, const RowLayout& layout, int y, HeadDrag& drag);
/// The height of one row of slices where the lower edge is dragged to `y`.
[[nodiscard]] int resizedTo(const HeadDrag& drag, int y);
/// Puts the track where it was dragged to.
void dropHead(const TimelineModel& model, const HeadDrag& drag, RowChoices& choices);

}  // namespace rankscope::ui
