// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "ui/commands/reference_page.h"
#include "ui/window/page_table.h"
#include "ui/window/panel_set.h"
#include "ui/window/places/dock_area.h"

namespace rankscope::ui {

class Search;
class SearchBar;
class SelectionFlow;
class TimelineWidget;

/// The view of open runs: the timeline, surrounded by the docks of its panels.
class Workspace : public DockArea {
    Q_OBJECT

  public:
    /// `indices` may be shared with other views of the same runs.
    Workspace(const Theme& theme, const std::shared_ptr<IndexStore>& indices, QWidget* parent = nullptr);

    /// `choices` as `runs`: the user's choices about their analysis.
    void setRuns(const OpenRuns& runs, const std::vector<AnalysisChoice>& choices);
    [[nodiscard]] const OpenRuns& runs() const { return runs_; }
    /// Sets what is open beside the runs.
    void setCompanions(const Companions& companions);
    /// Brings the memory panel to the front with one of them.
    void showSnapshot(const std::shared_ptr<const OpenSnapshot>& snapshot);
    /// Brings the page of NCCL's logs to the front.
    void showLogs();
    /// Brings the page of a hang to the front.
    void showDumps();
    /// Draws the timeline and all panels in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// The view for a run of very many ranks: the latest of them on top, and all of them as a map below.
    void showFromAfar();
    /// Index of the current run: that of the selection, else the one that was opened last.
    [[nodiscard]] std::size_t currentRun() const;

    /// Whether something visible is still being computed.
    [[nodiscard]] bool busy() const;

    /// Puts all panels at their default places, with their default sizes.
    void useDefaultLayout();
    /// Shows selections of the timeline or of a panel in the others.
    [[nodiscard]] SelectionFlow& flow() { return flow_; }
    /// The timeline of all open runs.
    [[nodiscard]] TimelineWidget& timeline() { return timeline_; }
    /// The findings as cards, at the side.
    [[nodiscard]] DiagnosesPanel& diagnoses() const { return *panels_.diagnoses; }
    /// The health check, the protocol and the check lists, at the side.
    [[nodiscard]] CheckPanel& check() const { return *panels_.check; }
    /// The explanation of the selected finding, gap or stretch of communication, at the side.
    [[nodiscard]] ExplanationPanel& explanation() const { return *panels_.explanation; }
    /// Everything about the selected slice, below the timeline.
    [[nodiscard]] DetailsPanel& details() const { return *panels_.details; }
    /// The sums of the area on the timeline, below it.
    [[nodiscard]] AreaPanel& area() const { return *panels_.area; }
    /// How the clocks of the ranks were aligned, with the user's changes, below the timeline.
    [[nodiscard]] ClocksPanel& clocks() const { return *panels_.clocks; }
    /// What is missing or wrong in the files, below the timeline.
    [[nodiscard]] HealthPanel& health() const { return *panels_.health; }
    /// The hits of the search as a table, below the timeline.
    [[nodiscard]] HitsPanel& hits() const { return *panels_.hits; }
    /// Where the time of each step went on each rank, below the timeline.
    [[nodiscard]] StepsPanel& steps() const { return *panels_.steps; }
    /// The critical path of a step by cause and rank, below the timeline.
    [[nodiscard]] PathPanel& path() const { return *panels_.path; }
    /// What changes would do to a step, below the timeline.
    [[nodiscard]] WhatIfPanel& whatIf() const { return *panels_.what_if; }
    /// The grid of the job as a map, and its process groups, below the timeline.
    [[nodiscard]] GridPanel& grid() const { return *panels_.grid; }
    /// The collectives of a run, by group and role, below the timeline.
    [[nodiscard]] CollectivesPanel& collectives() const { return *panels_.collectives; }
    /// The pipelines of a job, step by step, below the timeline.
    [[nodiscard]] PipelinePanel& pipeline() const { return *panels_.pipeline; }
    /// What NCCL uses between the ranks, from its logs, below the timeline.
    [[nodiscard]] NetworkPanel& network() const { return *panels_.network; }
    /// Why a job hangs, from dumps of the flight recorder, below the timeline.
    [[nodiscard]] HangPanel& hang() const { return *panels_.hang; }
    /// Questions in SQL about the open runs, below the timeline.
    [[nodiscard]] QueryPanel& query() const { return *panels_.query; }
    /// Brings the page of questions to the front, and asks one.
    void ask(const QString& sql);
    /// Searches the open runs; hits() shows the result.
    [[nodiscard]] Search& search() { return search_; }
    /// The charts of the current run, below the timeline.
    [[nodiscard]] ChartsPanel& charts() const { return *panels_.charts; }
    /// How much of the hardware the run uses, below the timeline.
    [[nodiscard]] EfficiencyPanel& efficiency() const { return *panels_.efficiency; }
    /// How fast ranks communicate and how much of it is hidden, below the timeline.
    [[nodiscard]] CommunicationPanel& communication() const { return *panels_.communication; }
    /// What memory is used for, at the peak of a rank or in a snapshot, below the timeline.
    [[nodiscard]] MemoryPanel& memory() const { return *panels_.memory; }
    /// Kernels and operators by name, statistics over ranks, and the reports' tables, below the timeline.
    [[nodiscard]] TablesPanel& tables() const { return *panels_.tables; }
    /// Who called whom, as a flame graph or a table, below the timeline.
    [[nodiscard]] CallsPanel& calls() const { return *panels_.calls; }
    /// The panel of a row of pageTable().
    [[nodiscard]] QWidget& panelOf(const PageRow& row) const { return *row.panel(panels_); }
    /// Brings that panel to the front like its command.
    void showPage(const PageRow& row);
    /// All panels with their descriptions, in the window's order.
    [[nodiscard]] std::vector<PanelSummary> panels() const;

  private:
    Workspace(const Theme& theme, const std::shared_ptr<IndexStore>& indices, TimelineWidget& timeline, SearchBar& bar,
              QWidget* parent);

    /// Without a run there is nothing around the lower dock.
    void showParts();
    /// Brings the page of a companion to the front, with the keyboard if no run is open.
    void showCompanion(QWidget& page);

    OpenRuns runs_;
    Companions companions_;
    TimelineWidget& timeline_;
    PanelSet panels_;
    Search& search_;
    SelectionFlow& flow_;
};

}  // namespace rankscope::ui
