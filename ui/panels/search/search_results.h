// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <vector>

#include "core/analysis/tables/search_slices.h"
#include "ui/timeline/selection/selection.h"
#include "ui/timeline/selection/slice_hits.h"

namespace rankscope::ui {

/// The hits of a search, for the marks of a timeline.
struct TimelineHits {
    std::vector<TimeNs> on_axis;  ///< their starts on its axis, sorted
    SliceHits by_lane;            ///< with the run indices of the timeline
};

/// The hits of a search in all open runs: those of the first run in order of time, then those of the next.
struct SearchResults {
    QString text;
    bool of_steps = false;         ///< the hits are the marks of a step that `text` names, not slices with that text
    std::vector<SearchHits> runs;  ///< as OpenRuns
    std::vector<TimelineHits> timelines;  ///< one that shows all runs, or one for each run

    /// The number of kept hits.
    [[nodiscard]] std::size_t size() const;
    /// The number of all hits.
    [[nodiscard]] std::uint64_t total() const;
    /// The hit at `index` below size(); its run is one of `runs`.
    [[nodiscard]] SliceSelection at(std::size_t index) const;
    /// When the hit at `index` starts, on its run's clock.
    [[nodiscard]] TimeNs startOf(std::size_t index) const;
    /// The first hit of `run` that starts at `time_ns` of its clock or later; after the run's last hit if there is
    /// none.
    [[nodiscard]] std::size_t firstFrom(std::uint32_t run, TimeNs time_ns) const;

  private:
    struct Location {
        std::uint32_t run = 0;
        const SearchHit* hit = nullptr;
    };
    [[nodiscard]] Location place(std::size_t index) const;
};

}  // namespace rankscope::ui
