// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>

#include "ui/timeline/navigation/tooltip.h"

namespace rankscope::ui {

/// Where the pointer is over a timeline, what is under it, and what is said of that.
class Hover {
  public:
    /// Logical pixels from the upper left corner of the tracks: left of them x is negative, over the ruler y. (-1, -1)
    /// where the pointer is not on the timeline.
    [[nodiscard]] const QPointF& pointer() const { return pointer_; }
    /// Whether the pointer is over the tracks.
    [[nodiscard]] bool overTracks() const { return pointer_.x() >= 0 && pointer_.y() >= 0; }
    /// Whether the pointer is over the names of the rows.
    [[nodiscard]] bool overNames() const { return pointer_.x() < 0 && pointer_.y() >= 0; }
    /// Where a key that zooms does so: under the pointer, or in the middle of a view `width` pixels wide.
    [[nodiscard]] double focusX(int width) const { return pointer_.x() >= 0 ? pointer_.x() : width / 2.0; }

    /// What is under the pointer; of a frame, and gone with it.
    [[nodiscard]] const Hit& hit() const { return hit_; }
    [[nodiscard]] const Tip& tip() const { return tip_; }

    /// The pointer is at `pointer`, over `hit`. The tip is made only for something else than before.
    void moveTo(const QPointF& pointer, const Hit& hit, const TimelineModel& model, const Theme& theme);
    /// The frame under the pointer has changed: what is there is not known until it moves.
    void forgetHit();
    /// While something is dragged, nothing is said.
    void forgetTip() { tip_ = {}; }
    /// The pointer has left the timeline.
    void leave();

  private:
    QPointF pointer_{-1, -1};
    Hit hit_;
    Tip tip_;
};

}  // namespace rankscope::ui
