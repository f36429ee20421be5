// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/navigation/history.h"
#include "ui/timeline/timeline_model.h"

namespace rankscope::ui {

/// A view of the timeline.
struct ViewPlace {
    TimeSpan window;  ///< the visible time, on the axis
    int scroll = 0;   ///< logical pixels
    Selection selection;
    friend bool operator==(const ViewPlace&, const ViewPlace&) = default;
};

/// The places before jumps.
using PlaceHistory = History<ViewPlace>;

/// Transfers the selections at `places` from one model to the next; drops all if that has no runs.
void carryOver(PlaceHistory& places, const TimelineModel& model, const TimelineModel& before);

}  // namespace rankscope::ui
