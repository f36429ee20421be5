// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "ui/theme/theme.h"

namespace rankscope::ui {

/// The width of the column of names, and dragging the edge between it and the tracks. Positions are logical pixels from
/// the left of the widget, widths logical pixels.
class ColumnEdge {
  public:
    /// The width in a widget that is `room` wide: the user's choice, limited to between a legible name and half of the
    /// room.
    [[nodiscard]] int width(const Theme& theme, int room) const;
    /// Whether a press at `x` would grab the edge.
    [[nodiscard]] bool isAt(double x, const Theme& theme, int room) const;

    /// Grabs the edge at `x`.
    void press(double x, const Theme& theme, int room);
    /// Whether the edge is being dragged.
    [[nodiscard]] bool pressed() const { return held_.has_value(); }
    /// Moves the edge to the pointer; returns whether the width changed. Does nothing unless pressed().
    bool dragTo(double x, const Theme& theme, int room);
    /// Releases the edge.
    void release() { held_.reset(); }

    /// The user's choice, at the usual text size; 0: the default width.
    [[nodiscard]] int chosen() const { return chosen_; }
    /// Restores an earlier chosen(); 0 or less for the default width.
    void choose(int width) { chosen_ = width > 0 ? width : 0; }

  private:
    int chosen_ = 0;
    std::optional<double> held_;  // how far left of the edge the pointer grabbed it
};

}  // namespace rankscope::ui
