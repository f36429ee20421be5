// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <cstdint>

#include "ui/panels/shared/open_runs.h"
#include "ui/panels/shared/step_chart.h"
#include "ui/timeline/selection/selection.h"
#include "ui/window/finding_walk.h"
#include "ui/window/first_look.h"
#include "ui/window/panel_set.h"

namespace rankscope::ui {

class DockArea;
class Search;
class TimelineWidget;
struct FindingSelection;

/// What selecting something on the timeline or in a panel shows in the others: from the selection to the details, the
/// explanation and the maps, and from findings, tables and hits to the timeline.
class SelectionFlow : public QObject {
    Q_OBJECT

  public:
    /// `docks` have the panels; `search` lists its hits in one of them.
    SelectionFlow(TimelineWidget& timeline, const PanelSet& panels, DockArea& docks, Search& search,
                  QObject* parent = nullptr);

    /// The runs that the timeline and the panels show.
    void setRuns(const OpenRuns& runs);

    /// Shows a slice on the timeline and in the details, and brings these to the front; where the lower dock is folded
    /// it stays so, since what led here has said what is shown.
    void reveal(const SliceSelection& slice);
    /// The same, without covering the panel that it was chosen in.
    void pointAt(const SliceSelection& slice);
    /// Shows a stretch of a rank's time, on the clock of its file, with a slice of it selected, if it is valid.
    void showPlace(std::uint32_t run, RankPosition rank, const TimeSpan& span, SliceRef slice);
    /// Shows a step of a rank, which is marked by its name and on the map of the grid.
    void showStep(std::uint32_t run, RankPosition rank, RankStepPosition step);
    /// Goes to the next stop of the walk through the findings (+1), or the one before (-1): nextStop().
    void stepFinding(int direction);
    /// Shows where the selected slice is among the calls of its rank; without one, all calls.
    void showCallsOfSelection();

  private:
    void connectSelection();
    void connectFindings();
    void connectTables();
    /// Grid and pipeline show where the selection is.
    void follow(const Selection& selection);
    void showSelection(const Selection& selection);
    /// Explains what is selected and is no slice; its words are in the details.
    template <class Show>
    void explain(const Show& show);
    void showArea(const std::optional<AreaSelection>& area);
    void showFinding(const FindingSelection& finding);
    /// Shows the step that shows a finding, with its places marked.
    void showOnStep(const FindingSelection& finding);
    /// Marks the places of a finding in the step of its first evidence.
    void markPlaces(const FindingSelection& finding);
    /// Shows what proves a finding, and the part of a gap that it blocks.
    void revealEvidence(std::uint32_t run, const Evidence& evidence);
    /// On the timeline's axis, of a stretch of a rank's time on the clock of its file.
    [[nodiscard]] TimeSpan onAxis(std::uint32_t run, RankPosition rank, const TimeSpan& span) const;
    void showChart(std::uint32_t run, StepChart chart);
    void showPage(const QString& panel, const QString& page);
    /// Shows a stretch of a rank's time, on the clock of its file, on the timeline.
    void showSpan(std::uint32_t run, RankPosition rank, const TimeSpan& span);
    void showHit(const SliceSelection& hit);
    void searchFor(const QString& name);

    TimelineWidget& timeline_;
    PanelSet panels_;
    DockArea& docks_;
    Search& search_;
    OpenRuns runs_;
    FirstLook first_look_;
    FindingLook look_ = FindingLook::AtPlace;    // of the finding that is selected
    FindingLook wanted_ = FindingLook::AtPlace;  // of the one that is about to be
    QWidget* before_area_ = nullptr;             // was in front before an area was drawn
};

}  // namespace rankscope::ui
