// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <cstdint>
#include <memory>

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
struct AskedMarks;
struct FindingSelection;

/// Shows a selection on the timeline or in a panel in the others: from the selection to the details, the explanation
/// and the maps, and from findings, tables and hits to the timeline.
class SelectionFlow : public QObject {
    Q_OBJECT

  public:
    /// `docks` contain the panels; `search` lists its hits in one of them.
    SelectionFlow(TimelineWidget& timeline, const PanelSet& panels, DockArea& docks, Search& search,
                  QObject* parent = nullptr);

    /// The runs that the timeline and the panels show.
    void setRuns(const OpenRuns& runs);

    /// Shows a slice on the timeline and in the details, and brings these to the front; a folded lower dock stays
    /// folded, since the source of the selection has already said what is shown.
    void reveal(const SliceSelection& slice);
    /// The same without covering the panel in which it was chosen.
    void pointAt(const SliceSelection& slice);
    /// Shows a span of a rank, on the clock of its file, and selects a slice in it, if it is valid.
    void showPlace(std::uint32_t run, RankPosition rank, const TimeSpan& span, SliceRef slice);
    /// Shows a step of a rank, whose name and cell on the map of the grid are marked.
    void showStep(std::uint32_t run, RankPosition rank, RankStepPosition step);
    /// Goes to the next stop of the walk through the findings (+1), or the previous one (-1): nextStop().
    void stepFinding(int direction);
    /// Shows where the selected slice is among the calls of its rank; without one, all calls.
    void showCallsOfSelection();

  private:
    void connectSelection();
    void connectFindings();
    void connectTables();
    /// Makes grid and pipeline show the place of the selection.
    void follow(const Selection& selection) const;
    void showSelection(const Selection& selection);
    /// Explains a selection that is not a slice; its words go to the details.
    template <class Show>
    void explain(const Show& show);
    void showArea(const std::optional<AreaSelection>& area);
    void showFinding(const FindingSelection& finding);
    /// Shows a finding in its step, with its places marked.
    void showOnStep(const FindingSelection& finding);
    /// Marks the places of a finding in the step of its first evidence.
    void markPlaces(const FindingSelection& finding);
    /// Shows the evidence of a finding, and the part of a gap that it blocks.
    void revealEvidence(std::uint32_t run, const Evidence& evidence);
    void showChart(std::uint32_t run, StepChart chart);
    void showPage(const QString& panel, const QString& page);
    /// Shows a span of a rank, on the clock of its file, on the timeline.
    void showSpan(std::uint32_t run, RankPosition rank, const TimeSpan& span);
    /// Marks the places of an answer on the timeline, and shows all of them; nullptr: marks nothing.
    void markAnswer(const std::shared_ptr<const AskedMarks>& marks);
    void showHit(const SliceSelection& hit);
    /// Ends the explanation of a gap or a stretch; that of a finding stays.
    void leaveExplanation() const;
    /// pointAt() and reveal() for a slice that the user chose in a table, of which no explanation is.
    void choose(const SliceSelection& slice);
    void chooseInFront(const SliceSelection& slice);
    void searchFor(const QString& name);

    TimelineWidget& timeline_;
    PanelSet panels_;
    DockArea& docks_;
    Search& search_;
    OpenRuns runs_;
    FirstLook first_look_;
    FindingLook look_ = FindingLook::AtPlace;    // for the selected finding
    FindingLook wanted_ = FindingLook::AtPlace;  // for the next one
    QWidget* before_area_ = nullptr;             // was in front before an area was drawn
};

}  // namespace rankscope::ui
