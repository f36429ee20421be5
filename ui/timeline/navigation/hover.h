// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>

#include "ui/timeline/navigation/tooltip.h"

namespace rankscope::ui {

/// The position of the pointer over a timeline, what is under it, and its tooltip.
class Hover {
  public:
    /// Logical pixels from the top left corner of the tracks: x is negative left of them, y above them, over the ruler.
    /// (-1, -1) if the pointer is not on the timeline.
    [[nodiscard]] const QPointF& pointer() const { return pointer_; }
    /// Whether the pointer is over the tracks.
    [[nodiscard]] bool overTracks() const { return pointer_.x() >= 0 && pointer_.y() >= 0; }
    /// Whether the pointer is over the names of the rows.
    [[nodiscard]] bool overNames() const { return pointer_.x() < 0 && pointer_.y() >= 0; }
    /// Where a zoom key zooms: at the pointer, or in the middle of a view `width` pixels wide.
    [[nodiscard]] double focusX(int width) const { return pointer_.x() >= 0 ? pointer_.x() : width / 2.0; }

    /// What is under the pointer; refers to a frame, and is invalid without it.
    [[nodiscard]] const Hit& hit() const { return hit_; }
    [[nodiscard]] const Tip& tip() const { return tip_; }

    /// Sets the pointer to `pointer`, over `hit`. The tooltip is made only if the hit is a different one.
    void moveTo(const QPointF& pointer, const Hit& hit, const TimelineModel& model, const Theme& theme);
    /// The frame under the pointer has changed: the hit is unknown until the pointer moves.
    void forgetHit();
    /// Removes the tooltip, while something is dragged.
    void forgetTip() { tip_ = {}; }
    /// The pointer has left the timeline.
    void leave();

  private:
    QPointF pointer_{-1, -1};
    Hit hit_;
    Tip tip_;
};

}  // namespace rankscope::ui
