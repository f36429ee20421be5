// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/navigation/history.h"
#include "ui/timeline/timeline_model.h"

namespace rankscope::ui {

/// Where the timeline was.
struct ViewPlace {
    TimeSpan window;  ///< that was in sight, on the axis
    int scroll = 0;   ///< logical pixels
    Selection selection;
    friend bool operator==(const ViewPlace&, const ViewPlace&) = default;
};

/// The places that jumps left.
using PlaceHistory = History<ViewPlace>;

/// Carries what was selected at `places` over from one model to the next; all is forgotten where that has no runs.
void carryOver(PlaceHistory& places, const TimelineModel& model, const TimelineModel& before);

}  // namespace rankscope::ui
