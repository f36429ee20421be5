// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/navigation/place_history.h"

namespace rankscope::ui {

void carryOver(PlaceHistory& places, const TimelineModel& model, const TimelineModel& before) {
    if (model.runs().empty()) {
        places.clear();
    }
    places.forEach([&](ViewPlace& place) { place.selection = model.carriedOver(place.selection, before); });
}

}  // namespace rankscope::ui
