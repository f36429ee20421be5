// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "ui/timeline/rows/row_layout.h"

namespace rankscope::ui {

/// A drag of a track's name in the column of headers: its lower edge makes its rows higher, the rest of it moves the
/// track among those of its list, or among the pinned ones. Heights are logical pixels from the top of all rows.
class HeaderDrag {
  public:
    /// What a press takes hold of.
    enum class Kind : std::uint8_t { Move, Resize };

    /// What pressing the names at `y` would take hold of; nothing where there is no track.
    [[nodiscard]] static std::optional<Kind> kindAt(const RowLayout& layout, int y);

    /// Takes hold of the track at `y`. False where there is none.
    bool press(const RowLayout& layout, int y);
    /// Whether a name is held, moved or not.
    [[nodiscard]] bool pressed() const { return held_.has_value(); }
    /// Follows the pointer to `y`. Up to four pixels away from the press it is still a click.
    void moveTo(const TimelineModel& model, const RowLayout& layout, int y);
    /// While an edge is dragged: puts the height of one row of slices that it gives into `choices`, 12 to 96
    /// logical pixels. False where nothing is resized.
    bool resize(RowChoices& choices) const;
    /// While a track is moved: where it would be put; nothing where nothing is moved.
    [[nodiscard]] std::optional<int> dropLine() const;
    /// Lets go; puts a moved track where it was dragged to. True where it was a drag, and no click.
    bool drop(const TimelineModel& model, RowChoices& choices);
    /// Lets go and leaves everything as it is.
    void cancel() { held_.reset(); }

  private:
    struct Held {
        Kind kind = Kind::Move;
        LayoutRow row;  // as it was when it was pressed
        int pressed_y = 0;
        int y = 0;
        bool begun = false;   // it has gone far enough to be no click
        int line_y = 0;       // of Move: where it would be put
        RowKey before;        // of Move: the row that it would come before
        bool at_end = false;  // of Move: it would come last, and `before` says nothing
    };
    std::optional<Held> held_;
};

}  // namespace rankscope::ui
