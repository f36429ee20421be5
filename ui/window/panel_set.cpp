// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/panel_set.h"

#include <algorithm>

#include "ui/charts/charts_panel.h"
#include "ui/panels/communication/collectives_panel.h"
#include "ui/panels/communication/communication_panel.h"
#include "ui/panels/communication/grid_panel.h"
#include "ui/panels/communication/pipeline_panel.h"
#include "ui/panels/compute/calls_panel.h"
#include "ui/panels/compute/efficiency_panel.h"
#include "ui/panels/compute/tables_panel.h"
#include "ui/panels/diagnosis/diagnoses_panel.h"
#include "ui/panels/diagnosis/explanation_panel.h"
#include "ui/panels/hang/hang_panel.h"
#include "ui/panels/memory/memory_panel.h"
#include "ui/panels/network/network_panel.h"
#include "ui/panels/query/query_panel.h"
#include "ui/panels/search/hits_panel.h"
#include "ui/panels/selection/area_panel.h"
#include "ui/panels/selection/details_panel.h"
#include "ui/panels/steps/path_panel.h"
#include "ui/panels/steps/steps_panel.h"
#include "ui/panels/trace/check_panel.h"
#include "ui/panels/trace/clocks_panel.h"
#include "ui/panels/trace/health_panel.h"
#include "ui/panels/whatif/what_if_panel.h"
#include "ui/window/page_table.h"
#include "ui/window/places/panel_places.h"
#include "ui/window/places/place_pages.h"

namespace rankscope::ui {

PanelSet::PanelSet(const Theme& theme, const std::shared_ptr<IndexStore>& indices)
    : diagnoses(new DiagnosesPanel(theme)),
      check(new CheckPanel(theme)),
      explanation(new ExplanationPanel(theme, indices)),
      details(new DetailsPanel(theme, indices)),
      area(new AreaPanel(theme)),
      steps(new StepsPanel(theme)),
      path(new PathPanel(theme)),
      what_if(new WhatIfPanel(theme)),
      grid(new GridPanel(theme)),
      collectives(new CollectivesPanel(theme)),
      pipeline(new PipelinePanel(theme)),
      network(new NetworkPanel(theme)),
      hang(new HangPanel(theme)),
      health(new HealthPanel(theme)),
      clocks(new ClocksPanel(theme)),
      query(new QueryPanel(theme)),
      charts(new ChartsPanel(theme)),
      efficiency(new EfficiencyPanel(theme)),
      communication(new CommunicationPanel(theme)),
      memory(new MemoryPanel(theme)),
      tables(new TablesPanel(theme)),
      calls(new CallsPanel(theme)),
      hits(new HitsPanel(theme)) {}

void PanelSet::addTo(PanelPlaces& places) const {
    for (const PlaceRow& row : placeTable()) {
        places.addPlace(*new PlacePages(row.title, row.empty), row.name, row.about);
    }
    for (const PageRow& row : pageTable()) {
        if (row.place == nullptr) {
            places.add(*row.panel(*this), row.name, row.title, row.about, row.dock);
        } else {
            places.addPage(*row.panel(*this), row.name, row.title, row.in_list, row.about,
                           *places.findPlace(QLatin1String(row.place)));
        }
    }
}

void PanelSet::setCompanions(const OpenRuns& runs, const Companions& companions) const {
    memory->setOpen(runs, companions.snapshots);
    network->setLogs(companions.logs);
    hang->setDumps(companions.dumps);
    query->setCompanions(companions);
    tables->setCompanions(companions);
}

// For a run that is not analysed this is unknown.
void PanelSet::listPages(PanelPlaces& places, const OpenRuns& runs, const Companions& companions) const {
    const auto has_companion = [&](const QWidget* panel) {
        return (panel == memory && !companions.snapshots.empty()) || (panel == network && companions.logs != nullptr) ||
               (panel == hang && companions.dumps != nullptr);
    };
    for (const PageRow& row : pageTable()) {
        const QWidget* panel = row.panel(*this);
        const bool is_of_runs = panel != network && panel != hang;
        const auto may_apply = [&](const auto& run) {
            return is_of_runs && (run->facts.ranks.empty() || row.applies(*run));
        };
        if (row.applies != nullptr) {
            places.setApplies(*panel, std::ranges::any_of(runs, may_apply) || has_companion(panel));
        }
    }
}

template <class Visit>
void PanelSet::forEach(const Visit& visit) const {
    const auto each = [&](auto*... panel) { (visit(*panel), ...); };
    each(diagnoses, check, explanation, details, area, steps, path, what_if, grid, collectives, pipeline, network, hang,
         health, clocks, query, charts, efficiency, communication, memory, tables, calls, hits);
}

void PanelSet::setRuns(const OpenRuns& runs, const std::vector<AnalysisChoice>& choices) const {
    forEach([&](auto& panel) {
        if constexpr (requires { panel.setRuns(runs, choices); }) {
            panel.setRuns(runs, choices);
        } else if constexpr (requires { panel.setRuns(runs); }) {
            panel.setRuns(runs);
        }
    });
}

void PanelSet::setTheme(const Theme& theme) const {
    forEach([&](auto& panel) { panel.setTheme(theme); });
}

bool PanelSet::busy() const {
    return diagnoses->busy() || tables->job().busy() || calls->job().busy() || path->job().busy() ||
           grid->job().busy() || check->job().busy() || collectives->job().busy() || area->busy() || charts->busy() ||
           memory->job().busy() || network->busy() || hang->busy() || query->busy() || what_if->busy() ||
           efficiency->busy() || communication->busy();
}

}  // namespace rankscope::ui
