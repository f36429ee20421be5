// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/critical_path.h"
#include "core/diagnosis/frame/analysed_run.h"
#include "ui/timeline/latest_job.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/timeline/selection/selection.h"
#include "ui/timeline/timeline_model.h"

namespace rankscope::ui {

/// A step of a run whose critical path is requested.
struct PathRequest {
    std::shared_ptr<const AnalysedRun> of;
    StepSelection at;
    friend bool operator==(const PathRequest&, const PathRequest&) = default;
};

/// A stretch of a critical path as drawn: along the row of a slice of its worker.
struct DrawnStretch {
    TimeSpan span;            ///< on the axis
    RankPosition rank;        ///< PathStretch::worker
    SliceRef slice;           ///< its own slice, else that of the next work of that rank; invalid if there is none
    std::uint16_t depth = 0;  ///< depth of the slice on its track
    bool works = false;       ///< a device works; else it is blocked or waits
};

/// A critical path with the places where it is drawn.
struct ShownPath {
    PathRequest of;
    bool steady = false;  ///< it is of all steady steps
    RankPosition end;     ///< the rank that it ends on
    CriticalPath path;
    std::vector<DrawnStretch> drawn;  ///< as CriticalPath::stretches; starts and ends both ascend
};

/// Computes the path that the end of a step waited for, on the rank that ends last. O(what is in the step), a few
/// milliseconds for a hundred thousand kernels.
[[nodiscard]] std::shared_ptr<const ShownPath> makeShownPath(const PathRequest& request);

/// The same for all steady steps of a run: the path that ends last. Empty if there is no such step. O(what a rank has
/// recorded on its device).
[[nodiscard]] std::shared_ptr<const ShownPath> makeSteadyPath(const std::shared_ptr<const AnalysedRun>& run,
                                                              std::uint32_t index);

/// The step of a rank's run at a time of the axis; nothing outside its steps, and while they are not known. O(log steps
/// of the rank + steps of the run).
[[nodiscard]] std::optional<RunStepPosition> runStepAt(const TimelineModel& model, std::uint32_t run, RankPosition rank,
                                                       TimeNs axis_ns);

/// The step whose path a timeline shows: that of the selection (for a slice: stepOfSlice()). Without a selection, or
/// one outside steps, the step in the middle of `window`, of the run whose row is at `row_y` from the top of all rows.
/// Nothing if the facts are not known, or if there is no step.
[[nodiscard]] std::optional<StepSelection> stepInView(const TimelineModel& model, const RowLayout& layout,
                                                      const Selection& selection, const TimeSpan& window, int row_y);

/// The path that a timeline shows. A thread computes it; the previous one stays until the new one is there.
class StepPath : public QObject {
    Q_OBJECT

  public:
    /// Requests the path of `request`; nothing: none.
    void want(const std::optional<PathRequest>& request);
    /// The current path; nullptr if none is requested, or if it is not there yet.
    [[nodiscard]] const std::shared_ptr<const ShownPath>& shown() const { return shown_; }
    /// Waits for the path: for screenshots and tests.
    void finish() { job_.finish(); }

  Q_SIGNALS:
    /// The path has changed, possibly to none.
    void changed();

  private:
    std::optional<PathRequest> wanted_;
    std::shared_ptr<const ShownPath> shown_;
    LatestJob job_;
};

}  // namespace rankscope::ui
