// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands/view_commands.h"

#include <QAction>
#include <QMenu>
#include <QPainter>
#include <type_traits>

#include "ui/charts/charts_panel.h"
#include "ui/charts/picture_file.h"
#include "ui/commands/command_registry.h"
#include "ui/panels/communication/communication_panel.h"
#include "ui/panels/compute/efficiency_panel.h"
#include "ui/panels/compute/tables_panel.h"
#include "ui/panels/diagnosis/diagnoses_panel.h"
#include "ui/panels/trace/check_panel.h"
#include "ui/panels/whatif/what_if_panel.h"
#include "ui/theme/notice.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/active_view.h"
#include "ui/window/commands/command_words.h"
#include "ui/window/commands/iteration_command.h"
#include "ui/window/page_table.h"
#include "ui/window/places/panel_places.h"
#include "ui/window/selection_flow.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

using command_words::id;
using command_words::tr;

/// Adds the commands that show a part of a panel: one of its tables or charts.
class PartCommands {
  public:
    PartCommands(CommandRegistry& commands, Workspace& workspace)
        : commands_(commands), workspace_(workspace), group_(tr("View")) {}

    template <class Panel, class Part>
    void add(const char* name, const QString& title, Panel& panel, void (Panel::*show)(Part),
             std::type_identity_t<Part> part) const {
        commands_.add({id(name), group_, title, {}, [&workspace = workspace_, &panel, show, part] {
                           workspace.showBelow(panel);
                           (panel.*show)(part);
                       }});
    }

  private:
    CommandRegistry& commands_;
    Workspace& workspace_;
    QString group_;
};

/// The commands of pages with more than one command, for the menu of a place.
std::vector<QString> moreOf(const QString& place) {
    if (place == id("place-communication")) {
        return {id("view.overlap"), id("view.bucket-sizes"), id(kIterationsCommand)};
    }
    if (place == id("place-steps")) {
        return {id("what-if.open")};
    }
    return place == id("place-compute") ? std::vector<QString>{id("view.all-facts")} : std::vector<QString>();
}

void addPartCommands(CommandRegistry& commands, Workspace& workspace) {
    const auto part = [&](const char* name, const QString& title, const char* keys, auto show) {
        QAction* action = commands.add({id(name), tr("View"), title, QKeySequence(QLatin1String(keys)), {}, true});
        QObject::connect(action, &QAction::toggled, &workspace, show);
        return action;
    };
    QAction* side = part("view.side", tr("Dia&gnoses"), "Ctrl+B", [&commands, &workspace](bool on) {
        const PanelPlaces& places = workspace.places();
        const PanelPlace place = places.placeOf(workspace.diagnoses());
        const bool at_side = place == PanelPlace::SideTop || place == PanelPlace::SideBottom;
        if (!on && workspace.sidePanelVisible() && at_side && !places.isInFront(workspace.diagnoses())) {
            workspace.showBelow(workspace.diagnoses());  // the user asked for them, and another panel covers them
            commands.action(id("view.side"))->setChecked(true);
        } else {
            workspace.setSidePanelVisible(on);
        }
    });
    side->setChecked(true);
    QObject::connect(&workspace, &Workspace::sidePanelToggled, side, &QAction::setChecked);
    QAction* bottom =
        part("view.bottom", tr("Places &Below"), "Q", [&workspace](bool on) { workspace.setBottomPanelVisible(on); });
    QObject::connect(&workspace, &Workspace::bottomPanelToggled, bottom, &QAction::setChecked);
}

void addPlaceCommands(CommandRegistry& commands, Workspace& workspace) {
    const QString group = tr("View");
    for (const PlaceRow& row : placeTable()) {
        const QString place = QLatin1String(row.name);
        commands.add({id("view.") + place, group, row.command_title, QKeySequence(QLatin1String(row.keys)),
                      [&workspace, place, title = row.title] {
                          if (!workspace.showPlace(place)) {
                              sayPassing(workspace, tr("All pages of “%1” are elsewhere.").arg(title));
                          }
                      }});
    }
    const auto step = [&](const char* name, const QString& title, const char* keys, auto go, int by) {
        commands.add(
            {id(name), group, title, QKeySequence(QLatin1String(keys)), [&workspace, go, by] { (workspace.*go)(by); }});
    };
    step("view.next-place", tr("&Next Place"), "Ctrl+PgDown", &Workspace::stepPlace, 1);
    step("view.previous-place", tr("Pre&vious Place"), "Ctrl+PgUp", &Workspace::stepPlace, -1);
    step("view.next-page", tr("Next Pa&ge of the Place"), "Alt+PgDown", &Workspace::stepPage, 1);
    step("view.previous-page", tr("Previous Page of the P&lace"), "Alt+PgUp", &Workspace::stepPage, -1);
}

void addEachPanel(CommandRegistry& commands, Workspace& workspace) {
    for (const PageRow& row : pageTable()) {
        if (!row.command_title.isEmpty()) {
            commands.add({id(row.command),
                          tr("View"),
                          row.command_title,
                          QKeySequence(QLatin1String(row.keys)),
                          [&workspace, row] { workspace.showPage(row); },
                          false,
                          {},
                          row.title});
        }
    }
}

/// The line on the timeline is shown together with the page of the critical path.
void showPathWithItsLine(CommandRegistry& commands, Workspace& workspace, const ActiveView& view) {
    QObject::connect(commands.action(id("view.critical-path")), &QAction::triggered, &workspace,
                     [view, &commands, &workspace] {
                         commands.action(id("overlay.critical-path"))->setChecked(true);
                         workspace.timeline().keepSelectionInSight();
                         view.timeline().bringPathIntoSight();
                     });
}

void addPartsOfPanels(CommandRegistry& commands, Workspace& workspace) {
    const PartCommands parts(commands, workspace);
    CheckPanel& check = workspace.check();
    parts.add("view.check-protocol", tr("Health Check: Protocol"), check, &CheckPanel::showPage, CheckPage::Protocol);
    parts.add("view.check-lists", tr("Health Check: Check Lists"), check, &CheckPanel::showPage, CheckPage::Lists);
    CommunicationPanel& communication = workspace.communication();
    parts.add("view.overlap", tr("&Overlap, Hidden and Exposed Communication"), communication,
              &CommunicationPanel::showPage, CommunicationPanel::kOverlap);
    parts.add("view.bucket-sizes", tr("&Bucket Sizes"), communication, &CommunicationPanel::showPage,
              CommunicationPanel::kBucketSizes);
    commands.add({id("view.all-facts"), tr("View"), tr("All Facts, Every Table of the Reports"), {}, [&workspace] {
                      workspace.showBelow(workspace.tables());
                      workspace.tables().showFacts();
                  }});
    commands.add({id("what-if.open"), tr("View"), tr("Open the Forecast as a Ru&n"), {}, [&workspace] {
                      if (!workspace.whatIf().openAsRun()) {
                          workspace.showBelow(workspace.whatIf());
                          sayPassing(workspace, tr("No change is on."));
                      }
                  }});
    commands.add({id("calls.of-selection"), tr("View"), tr("Show the Selection in the Flame &Graph"),
                  QKeySequence(QStringLiteral("Ctrl+G")), [&workspace] {
                      if (!std::holds_alternative<SliceSelection>(workspace.timeline().selection())) {
                          sayPassing(workspace, tr("No slice is selected."));
                      }
                      workspace.flow().showCallsOfSelection();
                  }});
}

void addChartCommands(CommandRegistry& commands, Workspace& workspace, const ActiveView& view) {
    const QString group = tr("View");
    const PartCommands parts(commands, workspace);
    const auto chart = [&](const char* name, const QString& title, std::size_t which) {
        parts.add(name, title, workspace.charts(), &ChartsPanel::showChart, which);
    };
    chart("view.chart-partition", tr("Chart: Step Breakdown"), ChartsPanel::kPartition);
    chart("view.chart-step-time", tr("Chart: Step Time"), ChartsPanel::kStepTime);
    chart("view.chart-distribution", tr("Chart: Distribution of Step Times"), ChartsPanel::kDistribution);
    chart("view.chart-lateness", tr("Chart: Lateness by Rank"), ChartsPanel::kLateness);
    chart("view.chart-memory", tr("Chart: Memory"), ChartsPanel::kMemory);
    chart("view.chart-roles", tr("Chart: Exposed Communication by Role"), ChartsPanel::kRoles);
    QAction* save =
        commands.add({id("view.save-chart"), group, tr("Sa&ve the Chart as a Picture..."), {}, [&workspace] {
                          workspace.showBelow(workspace.charts());  // a chart that has not been visible is not drawn
                          workspace.charts().savePicture();
                      }});
    QObject::connect(&workspace.charts(), &ChartsPanel::canSaveChanged, save,
                     [view, save](bool can) { save->setEnabled(can && !view.comparing()); });
    commands.add({id("view.save-timeline"), group, tr("Save the Time&line as a Picture..."), {}, [view] {
                      TimelineWidget& timeline = view.timeline();
                      askAndSavePicture(&timeline, tr("Timeline"), timeline.size(), timeline.palette().window().color(),
                                        [&timeline](QPainter& painter) { timeline.drawPicture(painter); });
                  }});

    commands.add({id("view.save-roofline"), group, tr("Save the Roo&fline as a Picture..."), {}, [&workspace] {
                      workspace.efficiency().saveRooflinePicture();
                  }});
    commands.add(
        {id("view.save-missing-share"), group, tr("Save the &Missing Share as a Picture..."), {}, [&workspace] {
             workspace.efficiency().saveMissingPicture();
         }});
}

}  // namespace

void addPanelCommands(CommandRegistry& commands, Workspace& workspace, const ActiveView& view) {
    addPartCommands(commands, workspace);
    addPlaceCommands(commands, workspace);
    addEachPanel(commands, workspace);
    showPathWithItsLine(commands, workspace, view);
    addPartsOfPanels(commands, workspace);
    addChartCommands(commands, workspace, view);
}

void addPanelMenus(const CommandRegistry& commands, QMenu& menu) {
    commands.fill(&menu, {id("view.side"), id("view.bottom"), id("view.overview"), {}});
    const std::vector<PageRow> pages = pageTable();
    for (const PlaceRow& row : placeTable()) {
        QMenu* place = menu.addMenu(row.menu);
        commands.fill(place, {id("view.") + QLatin1String(row.name), {}});
        for (const PageRow& page : pages) {
            if (page.place != nullptr && QLatin1String(page.place) == QLatin1String(row.name)) {
                commands.fill(place, {id(page.command)});
            }
        }
        commands.fill(place, moreOf(QLatin1String(row.name)));
    }
    commands.fill(menu.addMenu(tr("&Health Check")),
                  {id("view.check"), id("view.check-protocol"), id("view.check-lists")});
    commands.fill(&menu, {{}, id("view.save-chart"), id("view.save-timeline"), {}});
}

}  // namespace rankscope::ui
