// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/page_table.h"

#include <algorithm>
#include <memory>

#include "core/diagnosis/frame/analysed_run.h"
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
#include "ui/panels/shared/open_runs.h"
#include "ui/panels/steps/path_panel.h"
#include "ui/panels/steps/steps_panel.h"
#include "ui/panels/trace/check_panel.h"
#include "ui/panels/trace/clocks_panel.h"
#include "ui/panels/trace/health_panel.h"
#include "ui/panels/whatif/what_if_panel.h"
#include "ui/window/commands/command_words.h"
#include "ui/window/panel_set.h"

namespace rankscope::ui {
namespace {

constexpr const char* kSelection = "place-selection";
constexpr const char* kSteps = "place-steps";
constexpr const char* kCommunication = "place-communication";
constexpr const char* kCompute = "place-compute";
constexpr const char* kMemory = "place-memory";
constexpr const char* kTrace = "place-trace";

// ---- requirements for a run

bool hasSteps(const AnalysedRun& run) {
    return !run.facts.steps.empty();
}
bool hasCollectives(const AnalysedRun& run) {
    return !run.facts.collectives.collectives.empty();
}
/// The grid is known, its groups can be assigned roles, or it is the map of very many ranks.
bool hasGrid(const AnalysedRun& run) {
    return !run.facts.parallelism.grid.dimensions.empty() || !run.facts.parallelism.groups.empty() ||
           run.run->ranks.size() >= kManyRanks;
}
bool hasPipelines(const AnalysedRun& run) {
    return !run.facts.pipeline.pipelines.empty();
}
bool hasCountedWork(const AnalysedRun& run) {
    return run.facts.efficiency.any() || run.facts.efficiency.entered.has_value();
}
bool hasMemory(const AnalysedRun& run) {
    return run.facts.memory.any();
}
/// Its page is about a companion of runs.
bool isOfNoRun(const AnalysedRun& /*run*/) {
    return false;
}
bool hasSeveralRanks(const AnalysedRun& run) {
    return run.run->ranks.size() > 1;
}

/// A panel of the set, as a widget.
template <auto Member>
QWidget* panelAt(const PanelSet& panels) {
    return panels.*Member;
}

using command_words::tr;

std::vector<PageRow> sideTable() {
    return {{.name = "diagnoses",
             .place = nullptr,
             .dock = PanelPlace::SideTop,
             .title = tr("Diagnoses"),
             .in_list = {},
             .about = tr("What the steps are bound by, and the findings"),
             .command = "view.side",
             .command_title = {},
             .keys = "",
             .panel = panelAt<&PanelSet::diagnoses>,
             .then = nullptr,
             .applies = nullptr},
            {.name = "check",
             .place = nullptr,
             .dock = PanelPlace::SideTop,
             .title = tr("Check"),
             .in_list = {},
             .about = tr("Where to look first, with the protocol and check lists for common problems"),
             .command = "view.check",
             .command_title = tr("Health &Check"),
             .keys = "",
             .panel = panelAt<&PanelSet::check>,
             .then = [](const PanelSet& panels) { panels.check->showPage(CheckPage::Check); },
             .applies = nullptr},
            {.name = "explanation",
             .place = nullptr,
             .dock = PanelPlace::SideBottom,
             .title = tr("Explanation"),
             .in_list = {},
             .about = tr("Why the selected finding, gap or collective costs time, and what to do"),
             .command = "view.explanation",
             .command_title = tr("Explanation"),
             .keys = "",
             .panel = panelAt<&PanelSet::explanation>,
             .then = nullptr,
             .applies = nullptr}};
}

/// A page below, with a command that only shows it.
PageRow page(const char* place, const char* name, const QString& title, const QString& in_list, const QString& about,
             const char* command, const QString& command_title, QWidget* (*panel)(const PanelSet&),
             bool (*applies)(const AnalysedRun&) = nullptr) {
    return {.name = name,
            .place = place,
            .dock = PanelPlace::Below,
            .title = title,
            .in_list = in_list,
            .about = about,
            .command = command,
            .command_title = command_title,
            .keys = "",
            .panel = panel,
            .then = nullptr,
            .applies = applies};
}

void addSelection(std::vector<PageRow>& rows) {
    rows.push_back(page(kSelection, "details", tr("Details"), tr("Details"),
                        tr("All that is known about the selected slice, with its recorded args"), "view.details",
                        tr("&Details of the Selection"), panelAt<&PanelSet::details>));
    rows.push_back(page(kSelection, "area", tr("Area"), tr("Area"),
                        tr("Sums of the area that is marked on the timeline, by class and name"), "view.area",
                        tr("&Area"), panelAt<&PanelSet::area>));
    rows.push_back(page(kSelection, "hits", tr("Search"), tr("Search"), tr("The hits of the search, and their number"),
                        "search.hits", {}, panelAt<&PanelSet::hits>));
}

void addSteps(std::vector<PageRow>& rows) {
    rows.push_back(page(kSteps, "steps", tr("Steps"), tr("Table"),
                        tr("Breakdown of each step on each rank; the parts add up to the step"), "view.steps",
                        tr("&Steps"), panelAt<&PanelSet::steps>, hasSteps));
    rows.push_back(page(kSteps, "charts", tr("Charts"), tr("Charts"),
                        tr("Steps, step times, lateness by rank and memory as charts"), "view.charts", tr("&Charts"),
                        panelAt<&PanelSet::charts>, hasSteps));
    rows.push_back(page(kSteps, "path", tr("Critical path"), tr("Critical path"),
                        tr("What the end of a step waited for, on any rank, by part and by rank"), "view.critical-path",
                        tr("Cri&tical Path, with Its Line on the Timeline"), panelAt<&PanelSet::path>, hasSteps));
    rows.back().keys = "Shift+P";
    rows.push_back(page(kSteps, "what-if", tr("What if"), tr("What if"),
                        tr("What changes would save: switches and sliders, the forecast step beside the measured one"),
                        "view.what-if", tr("&What If, a Forecast with Changes"), panelAt<&PanelSet::what_if>,
                        hasSteps));
}

void addCommunication(std::vector<PageRow>& rows) {
    rows.push_back(page(kCommunication, "collectives", tr("Collectives"), tr("Collectives"),
                        tr("Each collective of a run, of one group or of one role"), "view.collectives",
                        tr("&Collectives by Group"), panelAt<&PanelSet::collectives>, hasCollectives));
    rows.push_back(page(kCommunication, "communication", tr("Bandwidth"), tr("Bandwidth, overlap"),
                        tr("Latency and bandwidth of each kind and link, overlap, and DDP bucket sizes"),
                        "view.transfers", tr("&Transfers, Measured and Predicted"), panelAt<&PanelSet::communication>,
                        hasCollectives));
    rows.back().then = [](const PanelSet& panels) { panels.communication->showPage(CommunicationPanel::kTransfers); };
    rows.push_back(page(kCommunication, "grid", tr("Grid"), tr("Grid"),
                        tr("The place of each rank in the dimensions of the job, as a map, and the role of each group"),
                        "view.grid", tr("&Grid of the Job and Groups"), panelAt<&PanelSet::grid>, hasGrid));
    rows.push_back(page(kCommunication, "pipeline", tr("Pipeline"), tr("Pipeline"),
                        tr("A step of a pipeline: its ranks as rows, micro-batches as numbered boxes, and the bubble"),
                        "view.pipeline", tr("&Pipeline, Its Micro-Batches and Bubble"), panelAt<&PanelSet::pipeline>,
                        hasPipelines));
    rows.push_back(
        page(kCommunication, "network", tr("Network"), tr("Network, NCCL logs"),
             tr("What NCCL uses between ranks: rings, trees, transports, settings and start-up, from its logs"),
             "view.network", tr("&Network, from NCCL's Logs"), panelAt<&PanelSet::network>, isOfNoRun));
    rows.push_back(page(kCommunication, "hang", tr("Hang"), tr("Hang"),
                        tr("Which ranks stop a job that hangs, and who waits for whom, from flight recorder dumps"),
                        "view.hang", tr("&Hang, from Flight Recorder Dumps"), panelAt<&PanelSet::hang>, isOfNoRun));
}

void addCompute(std::vector<PageRow>& rows) {
    rows.push_back(page(kCompute, "tables", tr("Kernels and operators"), tr("Kernels, operators"),
                        tr("Kernels and operators by name, statistics over ranks, and every table of the reports"),
                        "view.tables", tr("K&ernels and Operators"), panelAt<&PanelSet::tables>));
    rows.back().then = [](const PanelSet& panels) { panels.tables->showNames(true); };
    rows.push_back(page(kCompute, "calls", tr("Call tree and flame graph"), tr("Calls, flame graph"),
                        tr("Who called whom and how long, as a flame graph or a tree"), "view.calls",
                        tr("&Flame Graph and Calls"), panelAt<&PanelSet::calls>));
    rows.push_back(page(kCompute, "efficiency", tr("Efficiency"), tr("Efficiency"),
                        tr("How much of the hardware is used, where the rest goes, and operators in a roofline"),
                        "view.efficiency", tr("&Efficiency, Missing Share, Roofline"), panelAt<&PanelSet::efficiency>,
                        hasCountedWork));
}

void addMemoryAndTrace(std::vector<PageRow>& rows) {
    rows.push_back(page(kMemory, "memory", tr("Memory"), tr("Memory"),
                        tr("What uses GPU memory, at the peak of a rank or in a snapshot, and what reduces it"),
                        "view.memory", tr("&Memory Use"), panelAt<&PanelSet::memory>, hasMemory));
    rows.push_back(page(kTrace, "health", tr("Trace health"), tr("Health"),
                        tr("What is missing or wrong in each rank's files"), "view.health", tr("Trace &Health"),
                        panelAt<&PanelSet::health>));
    rows.push_back(page(kTrace, "clocks", tr("Clocks"), tr("Clocks"),
                        tr("How the ranks' clocks were aligned, how certain that is, and other choices"), "view.clocks",
                        tr("Cloc&ks"), panelAt<&PanelSet::clocks>, hasSeveralRanks));
    rows.push_back(page(kTrace, "query", tr("Query"), tr("Query"),
                        tr("Questions in SQL about all slices and facts of the open runs, and their answers"),
                        "view.query", tr("&Query in SQL"), panelAt<&PanelSet::query>));
    rows.back().keys = "Ctrl+K";
    rows.back().then = [](const PanelSet& panels) { panels.query->edit(); };
}

}  // namespace

std::vector<PlaceRow> placeTable() {
    return {
        {kSelection,
         tr("Selection"),
         tr("Select&ion"),
         tr("What is selected, the area that is marked, and what the search found"),
         {},
         tr("Show Se&lection"),
         "Alt+1"},
        {kSteps, tr("Steps"), tr("&Steps"),
         tr("Where the time of the steps goes: table, charts, critical path, and what changes would save"),
         tr("This trace has no steps. Record with a schedule and call prof.step() after each iteration. Then the time "
            "of each step is here: as a table, as charts, and along the critical path."),
         tr("Show Ste&ps"), "Alt+2"},
        {kCommunication, tr("Communication"), tr("Commu&nication"),
         tr("Collectives, their bandwidth, how the work is divided among the ranks, and what NCCL uses"),
         tr("This trace has no collectives. Record every rank of a distributed job and open all files together. Then "
            "its collectives, their bandwidth and its process groups are here. NCCL's logs and dumps of the flight "
            "recorder are shown here too."),
         tr("Show C&ommunication"), "Alt+3"},
        {kCompute,
         tr("Compute"),
         tr("Comp&ute"),
         tr("Kernels and operators, who called them, and how well they use "
            "the GPU"),
         {},
         tr("Show &Compute"),
         "Alt+4"},
        {kMemory, tr("Memory"), tr("&Memory"), tr("What GPU memory is used for"),
         tr("This trace has no memory events. Record with profile_memory=True, or drop a file of "
            "torch.cuda.memory._dump_snapshot() on the window. Then what GPU memory is used for is here."),
         tr("&Show Memory"), "Alt+5"},
        {kTrace,
         tr("Trace"),
         tr("Tra&ce"),
         tr("What is missing in the files, how the clocks are aligned, and questions in SQL"),
         {},
         tr("Show &Trace"),
         "Alt+6"},
    };
}

std::vector<PageRow> pageTable() {
    std::vector<PageRow> rows = sideTable();
    addSelection(rows);
    addSteps(rows);
    addCommunication(rows);
    addCompute(rows);
    addMemoryAndTrace(rows);
    return rows;
}

}  // namespace rankscope::ui
