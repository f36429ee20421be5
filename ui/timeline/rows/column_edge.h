// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "ui/theme/theme.h"

namespace rankscope::ui {

/// How wide the column of names is, and the drag of the edge between it and the tracks. Positions are logical pixels
/// from the left of the widget, widths logical pixels.
class ColumnEdge {
  public:
    /// The width in a widget that is `room` wide: what the user chose, kept between a legible name and half of the
    /// room.
    [[nodiscard]] int width(const Theme& theme, int room) const;
    /// Whether the edge would be taken hold of at `x`.
    [[nodiscard]] bool isAt(double x, const Theme& theme, int room) const;

    /// Takes hold of the edge at `x`.
    void press(double x, const Theme& theme, int room);
    /// Whether the edge is being dragged.
    [[nodiscard]] bool pressed() const { return held_.has_value(); }
    /// Brings the edge to the pointer; true where the width is another one then. Nothing happens unless pressed().
    bool dragTo(double x, const Theme& theme, int room);
    /// Lets go of it.
    void release() { held_.reset(); }

    /// What the user chose, at the usual size of text; 0: as wide as it is by itself.
    [[nodiscard]] int chosen() const { return chosen_; }
    /// Takes chosen() of another time; 0 or less for as wide as it is by itself.
    void choose(int width) { chosen_ = width > 0 ? width : 0; }

  private:
    int chosen_ = 0;
    std::optional<double> held_;  // how far left of the edge the pointer took hold of it
};

}  // namespace rankscope::ui
