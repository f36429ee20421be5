// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/workspace.h"

#include <algorithm>
#include <iterator>

#include "core/report/words/summary.h"
#include "ui/panels/communication/grid_panel.h"
#include "ui/panels/diagnosis/diagnoses_panel.h"
#include "ui/panels/hang/hang_panel.h"
#include "ui/panels/memory/memory_panel.h"
#include "ui/panels/network/network_panel.h"
#include "ui/panels/query/query_panel.h"
#include "ui/panels/search/hits_panel.h"
#include "ui/panels/search/search.h"
#include "ui/panels/trace/check_panel.h"
#include "ui/panels/trace/health_panel.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/widgets/search_bar.h"
#include "ui/window/places/panel_places.h"
#include "ui/window/selection_flow.h"

namespace rankscope::ui {
namespace {

/// The timeline below its search bar.
DockArea::Centre centreOf(TimelineWidget& timeline, SearchBar& bar) {
    DockArea::Centre centre{&timeline, &bar, {&bar, &timeline}};
    std::ranges::copy(timeline.controls(), std::back_inserter(centre.in_tab_order));
    return centre;
}

}  // namespace

Workspace::Workspace(const Theme& theme, const std::shared_ptr<IndexStore>& indices, QWidget* parent)
    : Workspace(theme, indices, *new TimelineWidget(theme, nullptr, indices), *new SearchBar, parent) {}

Workspace::Workspace(const Theme& theme, const std::shared_ptr<IndexStore>& indices, TimelineWidget& timeline,
                     SearchBar& bar, QWidget* parent)
    : DockArea(centreOf(timeline, bar), parent),
      timeline_(timeline),
      panels_(theme, indices),
      search_(*new Search(bar, *panels_.hits, {{&timeline, {}}}, this)),
      flow_(*new SelectionFlow(timeline, panels_, *this, search_, this)) {
    timeline_.setAccessibleName(tr("Timeline of all ranks"));
    timeline_.leaveKeysToShortcuts();
    timeline_.setOneRankUnfolded(true);
    panels_.addTo(places());
    arrange();
    connect(this, &DockArea::unfoldedForPanel, &timeline_, &TimelineWidget::keepSelectionInSight);
    connect(&places(), &PanelPlaces::defaultLayoutAsked, this, &Workspace::useDefaultLayout);
    connect(panels_.check, &CheckPanel::checked, this,
            [this](std::size_t look) { places().setCount(*panels_.check, look); });
}

void Workspace::setRuns(const OpenRuns& runs, const std::vector<AnalysisChoice>& choices) {
    runs_ = runs;
    timeline_.setRuns(runs);
    panels_.setRuns(runs, choices);
    panels_.setCompanions(runs, companions_);
    flow_.setRuns(runs);
    std::size_t unread = 0;
    for (const auto& run : runs_) {
        unread += report::unreadCount(*run->run);
    }
    places().setCount(*panels_.health, unread);
    panels_.listPages(places(), runs_, companions_);
    showParts();
    places().nameWindows();
    search_.setRuns(runs);
}

void Workspace::setCompanions(const Companions& companions) {
    if (companions_ != companions) {
        companions_ = companions;
        panels_.setCompanions(runs_, companions_);
        panels_.listPages(places(), runs_, companions_);
        showParts();
    }
}

void Workspace::showParts() {
    setCentreVisible(!runs_.empty() || companions_.empty());
}

void Workspace::showCompanion(QWidget& page) {
    showBelow(page);
    if (runs_.empty()) {
        page.setFocus();
    }
}

void Workspace::showLogs() {
    showCompanion(*panels_.network);
}

void Workspace::showDumps() {
    showCompanion(*panels_.hang);
}

void Workspace::showSnapshot(const std::shared_ptr<const OpenSnapshot>& snapshot) {
    panels_.memory->showSnapshot(snapshot);
    showCompanion(*panels_.memory);
}

void Workspace::setTheme(const Theme& theme) {
    timeline_.setTheme(theme);
    panels_.setTheme(theme);
    tabsChanged();
}

void Workspace::showPage(const PageRow& row) {
    showBelow(panelOf(row));
    if (row.then != nullptr) {
        row.then(panels_);
    }
}

void Workspace::ask(const QString& sql) {
    showBelow(*panels_.query);
    panels_.query->edit();
    panels_.query->ask(sql);
}

std::vector<PanelSummary> Workspace::panels() const {
    std::vector<PanelSummary> all = {
        {{}, tr("Timeline"), tr("All ranks on one clock: steps, CPU threads, streams, gaps and overlap")},
        {{}, tr("Overview"), tr("Every step of every rank in one picture, and the part that the timeline shows")}};
    std::ranges::move(places().summaries(), std::back_inserter(all));
    return all;
}

void Workspace::showFromAfar() {
    timeline_.setRankOrder(RankOrder::Lateness);
    showBelow(*panels_.grid);
}

std::size_t Workspace::currentRun() const {
    const std::size_t last = runs_.empty() ? 0 : runs_.size() - 1;
    const auto in_view = timeline_.stepInView();
    const auto run_of = [&](const auto& selected) -> std::size_t {
        if constexpr (requires { selected.run; }) {
            return std::min<std::size_t>(selected.run, last);
        } else {
            return in_view ? std::min<std::size_t>(in_view->run, last) : last;
        }
    };
    return std::visit(run_of, timeline_.selection());
}

bool Workspace::busy() const {
    return search_.busy() || panels_.busy();
}

void Workspace::useDefaultLayout() {
    setLayout({});
    places().toFront(*panels_.diagnoses);
    setSidePanelVisible(true);
    setBottomPanelVisible(std::holds_alternative<SliceSelection>(timeline_.selection()) || timeline_.area());
}

}  // namespace rankscope::ui
