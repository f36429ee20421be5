// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

class TimelineScene;

/// The position of the rows of a scene, to be restored after a new layout: the top row stays at the top, and the
/// selection in view.
class KeptPlace {
  public:
    KeptPlace(const TimelineScene& scene, const Selection& selection);

    /// Scrolls so that the position is restored.
    void restore(TimelineScene& scene) const;

  private:
    Selection selection_;
    bool seen_;              // the selection was in view
    RowAnchor top_;          // the topmost row that stays when other rows come and go
    std::optional<int> at_;  // its position in the view, in logical pixels; nothing: the rows are not scrolled
};

/// Whether the row of a selection, or that of its rank, is in view.
[[nodiscard]] bool isInSight(const TimelineScene& scene, const Selection& selection);

}  // namespace rankscope::ui
