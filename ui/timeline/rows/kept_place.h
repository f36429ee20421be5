// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

class TimelineScene;

/// Where the rows of a scene are, to come back to after they have been laid out anew: what is at the top stays
/// there, and the selection in sight.
class KeptPlace {
  public:
    KeptPlace(const TimelineScene& scene, const Selection& selection);

    /// Scrolls so that the place is as it was.
    void restore(TimelineScene& scene) const;

  private:
    Selection selection_;
    bool seen_;              // the selection
    RowAnchor top_;          // the uppermost row that stays where rows come and go
    std::optional<int> at_;  // where in the view it is, in logical pixels; nothing: the rows are not scrolled
};

/// Whether the row of a selection, or that of its rank, is in sight.
[[nodiscard]] bool isInSight(const TimelineScene& scene, const Selection& selection);

}  // namespace rankscope::ui
