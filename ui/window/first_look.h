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

/// A finding on the step that shows it, as the timeline does.
struct FindingView {
    FindingMarks marks;
    TimeSpan step;      ///< on the timeline's axis; empty where no step can be shown
    RankPosition rank;  ///< whose host threads are shown: that of the first evidence
};

/// The step of `runs[of.run]` that shows a finding, with its places. Costs what placesOf() does.
[[nodiscard]] FindingView findingOnStep(const OpenRuns& runs, const FindingSelection& of);
/// The typical step of a run without findings, with nothing marked.
[[nodiscard]] FindingView viewOfTypicalStep(const AnalysedRun& run);

/// What is seen first of a run that was opened: its typical step from edge to edge, with the places of the first
/// finding marked. Where the user has moved the view or selected something by the time that the findings are known, the
/// places are marked and the view stays; so it does when the run is analysed again. Of several runs all is shown.
class FirstLook {
  public:
    /// `timeline` must outlive this.
    explicit FirstLook(TimelineWidget& timeline) : timeline_(timeline) {}

    /// The timeline shows these runs now.
    void setRuns(const OpenRuns& runs);

  private:
    [[nodiscard]] bool isUntouched() const;

    TimelineWidget& timeline_;
    std::vector<std::shared_ptr<const Run>> open_;
    std::shared_ptr<const AnalysedRun> first_;  // of what is open
    bool done_ = false;                         // for what is open
    TimeSpan shown_;                            // the window of the view that this has chosen; empty for none
};

}  // namespace rankscope::ui
