// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>
#include <vector>

#include "ui/commands/reference_page.h"
#include "ui/panels/analysis_choice.h"
#include "ui/panels/open_runs.h"
#include "ui/panels/open_snapshots.h"
#include "ui/panels/step_chart.h"
#include "ui/theme/theme.h"
#include "ui/timeline/selection/selection.h"
#include "ui/window/panel_layout.h"

class QSettings;
class QSplitter;

namespace rankscope::ui {

class ChartsPanel;
class CheckPanel;
class ClocksPanel;
class CollectivesPanel;
class CommunicationPanel;
class AreaPanel;
class CallsPanel;
class DetailsPanel;
class DiagnosesPanel;
class EfficiencyPanel;
class ExplanationPanel;
class GridPanel;
class HealthPanel;
class HitsPanel;
class IndexStore;
class MemoryPanel;
class PanelPlaces;
class PanelTabs;
class PathPanel;
class PipelinePanel;
class Search;
class SearchBar;
class StepsPanel;
class TablesPanel;
class TimelineWidget;
struct FindingSelection;

/// What is seen of open runs: the timeline with its panels, and what selecting in one means for the others.
class Workspace : public QWidget {
    Q_OBJECT

  public:
    /// `indices` may be shared with other views of the same runs.
    Workspace(const Theme& theme, const std::shared_ptr<IndexStore>& indices, QWidget* parent = nullptr);

    /// `choices` as `runs`: what the user chose about their analysis.
    void setRuns(const OpenRuns& runs, const std::vector<AnalysisChoice>& choices);
    /// The memory snapshots that are open beside the runs.
    void setSnapshots(const OpenSnapshots& snapshots);
    /// Brings the panel of memory to the front with one of them.
    void showSnapshot(const std::shared_ptr<const OpenSnapshot>& snapshot);
    /// Draws the timeline and all panels in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// Shows a slice on the timeline and in the details, and brings these to the front; where the lower part is folded
    /// it stays so, since what led here has said what there is to see.
    void reveal(const SliceSelection& slice);
    /// The same, without covering the panel that it was chosen in.
    void pointAt(const SliceSelection& slice);
    /// Shows a stretch of a rank's time, on the clock of its file, with a slice of it selected, if it is valid.
    void showPlace(std::uint32_t run, RankPosition rank, const TimeSpan& span, SliceRef slice);
    /// Shows a step of a rank, which is marked by its name and on the map of the grid.
    void showStep(std::uint32_t run, RankPosition rank, RankStepPosition step);
    /// What suits a run of very many ranks: the latest of them on top, and all of them as a map below.
    void showFromAfar();
    /// Selects the next finding (+1), the one before (-1), or the first where none is selected.
    void stepFinding(int direction);

    /// Index of the run that the user is at: the selected one's, else the one that was opened last.
    [[nodiscard]] std::size_t currentRun() const;

    /// Whether something that can be seen is still being worked out.
    [[nodiscard]] bool busy() const;

    /// Shows or hides what stands at the side: the diagnoses and the explanation, and what was moved there.
    void setSidePanelVisible(bool visible);
    /// Shows the details and tables below the timeline, or folds them to their tabs, which they are until there is
    /// something to show.
    void setBottomPanelVisible(bool visible);
    [[nodiscard]] bool sidePanelVisible() const;
    [[nodiscard]] bool bottomPanelVisible() const;
    /// Where the panels stand, and how the parts share the window.
    [[nodiscard]] PanelLayout layout() const;
    void setLayout(const PanelLayout& layout);
    /// Puts all panels where a new user has them, in the sizes that they have by themselves.
    void useUsualLayout();
    /// Keeps the layout, for restoreLayout() at the next start.
    void saveLayout(QSettings& settings) const;
    void restoreLayout(const QSettings& settings);

    /// The timeline of all open runs.
    [[nodiscard]] TimelineWidget& timeline() { return *timeline_; }
    /// The findings as cards, at the side.
    [[nodiscard]] DiagnosesPanel& diagnoses() { return *diagnoses_; }
    /// The health check, the protocol and the check lists, at the side.
    [[nodiscard]] CheckPanel& check() { return *check_; }
    /// What explains the selected finding, gap or stretch of communication, at the side.
    [[nodiscard]] ExplanationPanel& explanation() { return *explanation_; }
    /// Everything about the selected slice, below the timeline.
    [[nodiscard]] DetailsPanel& details() { return *details_; }
    /// The sums of the area that is drawn on the timeline, below it.
    [[nodiscard]] AreaPanel& area() { return *area_; }
    /// How the clocks of the ranks were aligned, and where the user changes that, below the timeline.
    [[nodiscard]] ClocksPanel& clocks() { return *clocks_; }
    /// What was missing or wrong in the files, below the timeline.
    [[nodiscard]] HealthPanel& health() { return *health_; }
    /// The hits of the search as a table, below the timeline.
    [[nodiscard]] HitsPanel& hits() { return *hits_; }
    /// Where the time of each step went on each rank, below the timeline.
    [[nodiscard]] StepsPanel& steps() { return *steps_; }
    /// What the critical path of a step went to, below the timeline.
    [[nodiscard]] PathPanel& path() { return *path_; }
    /// The grid of the job as a map, and its process groups, below the timeline.
    [[nodiscard]] GridPanel& grid() { return *grid_; }
    /// The collectives of a run, by group and role, below the timeline.
    [[nodiscard]] CollectivesPanel& collectives() { return *collectives_; }
    /// The pipelines of a job as people draw them, below the timeline.
    [[nodiscard]] PipelinePanel& pipeline() { return *pipeline_; }
    /// The search in the open runs; its hits stand in hits().
    [[nodiscard]] Search& search() { return *search_; }
    /// The charts of the current run, below the timeline.
    [[nodiscard]] ChartsPanel& charts() { return *charts_; }
    /// How much of the hardware the run uses, below the timeline.
    [[nodiscard]] EfficiencyPanel& efficiency() { return *efficiency_; }
    /// How fast ranks communicate and how much of it they hide, below the timeline.
    [[nodiscard]] CommunicationPanel& communication() { return *communication_; }
    /// What memory is for, at the peak of a rank or in a snapshot, below the timeline.
    [[nodiscard]] MemoryPanel& memory() { return *memory_; }
    /// Kernels and operators by name, statistics over ranks, and the reports' tables, below the timeline.
    [[nodiscard]] TablesPanel& tables() { return *tables_; }
    /// Who called whom, as a flame graph or a table, below the timeline.
    [[nodiscard]] CallsPanel& calls() { return *calls_; }
    /// Shows where the selected slice stands among the calls of its rank; without one, all calls.
    void showCallsOfSelection();
    /// Brings a panel to the front wherever it stands: usually below the timeline, which unfolds that part, else at the
    /// side, or in its own window.
    void showBelow(QWidget& panel);
    /// Brings a panel to the front by its name, as panelInFront() gives it, and unfolds nothing; any other name does
    /// nothing.
    void showPanel(const QString& name);
    /// The name of the panel that is in front in the lower part: "details", "area", "steps", "charts" ...; empty where
    /// no panel is there.
    [[nodiscard]] QString panelInFront() const;
    /// Where each panel stands, and how it is moved.
    [[nodiscard]] PanelPlaces& places() { return *places_; }

    /// All panels with what they show, in the order in which the window has them.
    [[nodiscard]] std::vector<PanelSummary> panels() const;

  Q_SIGNALS:
    /// The lower part has been unfolded, or folded to its tabs.
    void bottomPanelToggled(bool visible);
    /// The side has been shown or hidden.
    void sidePanelToggled(bool visible);

  protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    /// Calls `visit` with each panel, of its own type.
    template <class Visit>
    void forEachPanel(const Visit& visit);
    void addPanels();
    void layOut();
    void wire();
    /// Shows the parts that have panels in them, and lets Tab lead through them as one reads.
    void arrange();
    /// Gives the parts their sizes, unless they have them.
    void shareRoom();
    void shareWidth();
    void shareSide();
    /// Brings a panel to the front, and unfolds the lower part if it is there; a hidden side stays hidden.
    void bring(QWidget& panel);
    /// The timeline gets the keyboard from a part that goes out of sight: Qt would give it to the divider beside it.
    void takeKeyboardFrom(const QWidget& part);
    /// The height of the lower part, unfolded.
    [[nodiscard]] int bottomHeight() const;
    /// What the lower part takes of the height, folded or not.
    void sizeBottom();
    /// The tab of the trace health has the number of files and ranks that could not be read whole.
    void countUnread();
    /// The tab of the health check has the number of lines that say where to look.
    void countLooks(std::size_t look);
    /// Grid and pipeline show where stands what is selected.
    void follow(const Selection& selection);
    void showSelection(const Selection& selection);
    void showAreaPanel(bool drawn);
    void showFinding(const FindingSelection& finding);
    /// Shows what proves a finding, and the part of a gap that it blocks.
    void revealEvidence(std::uint32_t run, const Evidence& evidence);
    /// On the timeline's axis, of a stretch of a rank's time on the clock of its file.
    [[nodiscard]] TimeSpan onAxis(std::uint32_t run, RankPosition rank, const TimeSpan& span) const;
    void showChart(std::uint32_t run, StepChart chart);
    /// Shows a stretch of a rank's time, on the clock of its file, on the timeline.
    void showSpan(std::uint32_t run, RankPosition rank, const TimeSpan& span);

    OpenRuns runs_;
    OpenSnapshots snapshots_;
    TimelineWidget* timeline_;
    DiagnosesPanel* diagnoses_;
    CheckPanel* check_;
    ExplanationPanel* explanation_;
    DetailsPanel* details_;
    AreaPanel* area_;
    StepsPanel* steps_;
    PathPanel* path_;
    GridPanel* grid_;
    CollectivesPanel* collectives_;
    PipelinePanel* pipeline_;
    HealthPanel* health_;
    ClocksPanel* clocks_;
    ChartsPanel* charts_;
    EfficiencyPanel* efficiency_;
    CommunicationPanel* communication_;
    MemoryPanel* memory_;
    TablesPanel* tables_;
    CallsPanel* calls_;
    HitsPanel* hits_;
    SearchBar* search_bar_;
    Search* search_;
    PanelPlaces* places_;
    PanelTabs* bottom_;
    std::array<PanelTabs*, 2> sides_;
    QWidget* before_area_ = nullptr;  // was in front before an area was drawn
    QSplitter* across_;               // timeline and bottom, side panel
    QSplitter* down_;                 // timeline, bottom
    QSplitter* side_;                 // sides_
    bool sized_ = false;
    bool bottom_folded_ = true;  // to its tabs
    bool side_wanted_ = true;    // and seen where a panel is there
    int bottom_height_ = 0;      // of the lower part unfolded, as the user or a layout has it; 0: as it is by itself
    int side_width_ = 0;         // as the user or a layout has it; 0: as it is by itself
    std::array<int, 2> side_heights_{};
};

}  // namespace rankscope::ui
