// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

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

/// The places that were left by jumps, to go back to and forward again, as in a browser. It keeps the last 100.
class PlaceHistory {
  public:
    /// A jump leaves `place`; what there was to go forward to is forgotten. The place that was left last is not kept
    /// twice.
    void leave(const ViewPlace& place) { places_.leave(place); }
    /// The place that was left last, for which `here` becomes the first to go forward to; nothing where none was left.
    [[nodiscard]] std::optional<ViewPlace> back(const ViewPlace& here) { return places_.back(here); }
    /// The place that back() came from, for which `here` becomes the first to go back to; nothing where it did not.
    [[nodiscard]] std::optional<ViewPlace> forward(const ViewPlace& here) { return places_.forward(here); }
    /// Carries what was selected over from one model to the next; all is forgotten where that has no runs.
    void carryOver(const TimelineModel& model, const TimelineModel& before);
    void clear() { places_.clear(); }

  private:
    History<ViewPlace> places_;
};

}  // namespace rankscope::ui
