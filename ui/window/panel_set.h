// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "ui/panels/shared/analysis_choice.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/theme/theme.h"
#include "ui/window/opening/companions.h"

namespace rankscope::ui {

class AreaPanel;
class CallsPanel;
class ChartsPanel;
class CheckPanel;
class ClocksPanel;
class CollectivesPanel;
class CommunicationPanel;
class DetailsPanel;
class DiagnosesPanel;
class EfficiencyPanel;
class ExplanationPanel;
class GridPanel;
class HangPanel;
class HealthPanel;
class HitsPanel;
class IndexStore;
class MemoryPanel;
class NetworkPanel;
class PanelPlaces;
class PathPanel;
class PipelinePanel;
class QueryPanel;
class StepsPanel;
class TablesPanel;
class WhatIfPanel;

/// The panels of a workspace, one of each kind. They are owned by the widgets to which addTo() adds them.
struct PanelSet {
    PanelSet(const Theme& theme, const std::shared_ptr<IndexStore>& indices);

    /// Puts each at its default place, from pageTable().
    void addTo(PanelPlaces& places) const;
    /// Lists the pages that have something to show for what is open.
    void listPages(PanelPlaces& places, const OpenRuns& runs, const Companions& companions) const;
    /// Shows these companions of the runs in the panels that are about them.
    void setCompanions(const OpenRuns& runs, const Companions& companions) const;
    /// Shows these runs in all panels. `choices` as `runs`: the user's choices about their analysis.
    void setRuns(const OpenRuns& runs, const std::vector<AnalysisChoice>& choices) const;
    /// Draws all in the colours of this theme from now on.
    void setTheme(const Theme& theme) const;
    /// Whether one of them is still computing something.
    [[nodiscard]] bool busy() const;

    DiagnosesPanel* diagnoses;
    CheckPanel* check;
    ExplanationPanel* explanation;
    DetailsPanel* details;
    AreaPanel* area;
    StepsPanel* steps;
    PathPanel* path;
    WhatIfPanel* what_if;
    GridPanel* grid;
    CollectivesPanel* collectives;
    PipelinePanel* pipeline;
    NetworkPanel* network;
    HangPanel* hang;
    HealthPanel* health;
    ClocksPanel* clocks;
    QueryPanel* query;
    ChartsPanel* charts;
    EfficiencyPanel* efficiency;
    CommunicationPanel* communication;
    MemoryPanel* memory;
    TablesPanel* tables;
    CallsPanel* calls;
    HitsPanel* hits;

    /// Calls `visit` with each panel, of its own type.
    template <class Visit>
    void forEach(const Visit& visit) const;
};

}  // namespace rankscope::ui
