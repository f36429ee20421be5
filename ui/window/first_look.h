// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ui/panels/shared/open_runs.h"
#include "ui/timeline/selection/finding_marks.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

class TimelineWidget;

/// A finding in the step that shows it, for the timeline.
struct FindingView {
    FindingMarks marks;
    TimeSpan step;      ///< on the timeline's axis; empty if no step can be shown
    RankPosition rank;  ///< the rank whose host threads are shown: that of the first evidence
};

/// The step of `runs[of.run]` that shows a finding, with its places. Costs the same as placesOf().
[[nodiscard]] FindingView findingOnStep(const OpenRuns& runs, const FindingSelection& of);
/// The typical step of a run without findings, with nothing marked.
[[nodiscard]] FindingView viewOfTypicalStep(const AnalysedRun& run);

/// The first view of an opened run: its typical step from edge to edge, with the places of the first finding marked. If
/// the user has moved the view or selected something before the findings are known, the places are marked and the view
/// stays; also when the run is analysed again. Of several runs everything is shown.
class FirstLook {
  public:
    /// `timeline` must outlive this.
    explicit FirstLook(TimelineWidget& timeline) : timeline_(timeline) {}

    /// Sets the runs that the timeline shows.
    void setRuns(const OpenRuns& runs);

  private:
    [[nodiscard]] bool isUntouched() const;

    TimelineWidget& timeline_;
    std::vector<std::shared_ptr<const Run>> open_;
    std::shared_ptr<const AnalysedRun> first_;  // the first of the open runs
    bool done_ = false;                         // the first view of the open runs has been shown
    TimeSpan shown_;                            // the window that this has shown; empty for none
};

}  // namespace rankscope::ui
