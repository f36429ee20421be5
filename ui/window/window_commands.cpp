// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_commands.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>
#include <algorithm>
#include <type_traits>

#include "ui/calls/calls_panel.h"
#include "ui/charts/charts_panel.h"
#include "ui/charts/picture_file.h"
#include "ui/commands/command_registry.h"
#include "ui/efficiency/communication_panel.h"
#include "ui/efficiency/efficiency_panel.h"
#include "ui/panels/area_panel.h"
#include "ui/panels/check_panel.h"
#include "ui/panels/clocks_panel.h"
#include "ui/panels/collectives_panel.h"
#include "ui/panels/diagnoses_panel.h"
#include "ui/panels/explanation_panel.h"
#include "ui/panels/grid_panel.h"
#include "ui/panels/health_panel.h"
#include "ui/panels/hits_panel.h"
#include "ui/panels/memory_panel.h"
#include "ui/panels/path_panel.h"
#include "ui/panels/pipeline_panel.h"
#include "ui/panels/search.h"
#include "ui/panels/search_bar.h"
#include "ui/panels/steps_panel.h"
#include "ui/panels/tables_panel.h"
#include "ui/panels/words.h"
#include "ui/theme/plain_text.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/command_windows.h"
#include "ui/window/command_words.h"
#include "ui/window/compare_commands.h"
#include "ui/window/comparing.h"
#include "ui/window/held_keys.h"
#include "ui/window/help_commands.h"
#include "ui/window/iteration_command.h"
#include "ui/window/layout_commands.h"
#include "ui/window/left_keys.h"
#include "ui/window/loading_strip.h"
#include "ui/window/main_window.h"
#include "ui/window/panel_places.h"
#include "ui/window/report_export.h"
#include "ui/window/session_keeper.h"
#include "ui/window/timeline_commands.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

using command_words::id;
using command_words::tr;

/// Closes the run that the user is at; where there is none, the snapshot that was opened last.
void closeCurrent(MainWindow& window) {
    Session& session = window.session();
    if (!session.runs().empty()) {
        session.close(window.currentRun());
    } else if (!session.snapshots().empty()) {
        session.closeSnapshot(session.snapshots().back());
    }
}

void addFileCommands(MainWindow& window) {
    CommandRegistry& commands = window.commands();
    const QString group = tr("File");
    commands.add(
        {id("file.open-files"), group, tr("&Open Files..."), QKeySequence::Open, [&window] { window.askForFiles(); }});
    commands.add({id("file.open-folder"), group, tr("Open &Folder..."), QKeySequence(QStringLiteral("Ctrl+Shift+O")),
                  [&window] { window.askForFolder(); }});
    commands.add({id("file.open-path"), group, tr("Open &Path or ssh://..."), {}, [&window] { window.askForPath(); }});
    commands.add({id("file.open-step"), group, tr("Open This St&ep from Its Trace"), {}, [&window] {
                      window.openStepFromTrace();
                  }});
    QAction* map = commands.add({id("go.step-map"), tr("Go"), tr("Map of All Steps of All Ran&ks"), {}, {}, true});
    QObject::connect(map, &QAction::triggered, &window, &MainWindow::showStepMap);
    commands.add({id("file.open-session"), group, tr("Open Sess&ion..."), {}, [&window] {
                      window.sessions().askToOpen(&window);
                  }});
    commands.add({id("file.save-session"), group, tr("&Save Session As..."), QKeySequence::SaveAs,
                  [&window] { window.sessions().askToSave(&window); }});
    commands.add({id("file.save-report"), group, tr("Sa&ve the Report..."), QKeySequence(QStringLiteral("Ctrl+E")),
                  [&window] { window.reports().askForReport(&window); }});
    commands.add({id("file.save-tables"), group, tr("Save the &Tables as CSV..."), {}, [&window] {
                      window.reports().askForTables(&window);
                  }});
    commands.add({id("job.describe"), tr("Edit"), tr("Describe the &Job..."), {}, [&window] { window.describeJob(); }});
    commands.add({id("file.reopen"), group, tr("Reopen the Run Closed &Last"),
                  QKeySequence(QStringLiteral("Ctrl+Shift+T")), [&window] { window.session().reopen(); }});
    commands.add({id("file.close"), group, tr("&Close Run"), QKeySequence(QStringLiteral("Ctrl+W")),
                  [&window] { closeCurrent(window); }});
    commands.add({id("file.close-all"), group, tr("Close &All"), QKeySequence(QStringLiteral("Ctrl+Shift+W")),
                  [&window] { window.session().closeAll(); }});
    commands.add(
        {id("file.quit"), group, tr("&Quit"), QKeySequence(QStringLiteral("Ctrl+Q")), [&window] { window.quit(); }});
}

void fillRecent(MainWindow& window, QMenu* menu) {
    menu->clear();
    for (const QStringList& entry : window.recentPaths().entries()) {
        QString title = RecentPaths::title(entry);
        title.replace(QLatin1Char('&'), QStringLiteral("&&"));
        QAction* action = menu->addAction(title);
        action->setToolTip(plainTip(entry.join(QLatin1Char('\n'))));
        QObject::connect(action, &QAction::triggered, &window, [&window, entry] { window.open(entry); });
    }
    menu->setEnabled(!menu->isEmpty());
}

void addFileMenu(MainWindow& window) {
    QMenu* menu = window.menuBar()->addMenu(tr("&File"));
    window.commands().fill(menu, {id("file.open-files"), id("file.open-folder"), id("file.open-path")});
    QMenu* recent = menu->addMenu(tr("Open &Recent"));
    fillRecent(window, recent);
    QObject::connect(&window, &MainWindow::recentChanged, recent, [&window, recent] { fillRecent(window, recent); });
    QObject::connect(menu, &QMenu::aboutToShow, menu, [&window] {
        const OpenRuns& runs = window.session().runs();
        const std::size_t current = window.currentRun();
        const QString name = runs.size() < 2 ? tr("Run") : text(runs[current]->run->name);
        window.commands().action(id("file.close"))->setText(tr("&Close %1").arg(name));
    });
    window.commands().fill(menu, {id("file.open-step"),
                                  id("file.compare"),
                                  {},
                                  id("file.open-session"),
                                  id("file.save-session"),
                                  {},
                                  id("file.save-report"),
                                  id("file.save-tables"),
                                  {},
                                  id("file.new-window"),
                                  id("file.close"),
                                  id("file.close-all"),
                                  id("file.reopen"),
                                  {},
                                  id("file.quit")});
}

void addEditMenu(MainWindow& window) {
    window.commands().fill(window.menuBar()->addMenu(tr("&Edit")), {id("edit.undo"),
                                                                    id("edit.redo"),
                                                                    {},
                                                                    id("copy.name"),
                                                                    id("copy.selection"),
                                                                    id("copy.times"),
                                                                    id("copy.place"),
                                                                    {},
                                                                    id("finding.copy"),
                                                                    id("finding.copy-markdown"),
                                                                    {},
                                                                    id("job.describe")});
}

/// Adds the commands that bring a panel below to the front, where it is wanted with one of its pages.
class BelowCommands {
  public:
    explicit BelowCommands(MainWindow& window)
        : commands_(window.commands()), workspace_(window.workspace()), group_(tr("View")) {}

    void add(const char* name, const QString& title, QWidget& panel) const {
        commands_.add({id(name),
                       group_,
                       title,
                       {},
                       [&workspace = workspace_, &panel] { workspace.showBelow(panel); },
                       false,
                       {},
                       tabOf(panel)});
    }
    template <class Panel, class Page>
    void add(const char* name, const QString& title, Panel& panel, void (Panel::*show)(Page),
             std::type_identity_t<Page> page) const {
        commands_.add({id(name),
                       group_,
                       title,
                       {},
                       [&workspace = workspace_, &panel, show, page] {
                           workspace.showBelow(panel);
                           (panel.*show)(page);
                       },
                       false,
                       {},
                       tabOf(panel)});
    }

  private:
    /// The name on the tab of the panel, for the first command that shows it; the others show one of its pages.
    [[nodiscard]] QString tabOf(const QWidget& panel) const {
        const QString tab = panel.windowTitle();
        const auto& all = commands_.commands();
        return std::ranges::find(all, tab, &Command::alias) == all.end() ? tab : QString();
    }

    CommandRegistry& commands_;
    Workspace& workspace_;
    QString group_;
};

void addPartCommands(MainWindow& window) {
    const auto part = [&](const char* name, const QString& title, const char* keys, auto show) {
        QAction* action =
            window.commands().add({id(name), tr("View"), title, QKeySequence(QLatin1String(keys)), {}, true});
        QObject::connect(action, &QAction::toggled, &window, show);
        return action;
    };
    Workspace& workspace = window.workspace();
    QAction* side = part("view.side", tr("Dia&gnoses"), "Ctrl+B", [&window, &workspace](bool on) {
        const PanelPlaces& places = workspace.places();
        const PanelPlace place = places.placeOf(workspace.diagnoses());
        const bool at_side = place == PanelPlace::SideTop || place == PanelPlace::SideBottom;
        if (!on && workspace.sidePanelVisible() && at_side && !places.isInFront(workspace.diagnoses())) {
            workspace.showBelow(workspace.diagnoses());  // they are asked for, and another panel is before them
            window.commands().action(id("view.side"))->setChecked(true);
        } else {
            workspace.setSidePanelVisible(on);
        }
    });
    side->setChecked(true);
    QObject::connect(&workspace, &Workspace::sidePanelToggled, side, &QAction::setChecked);
    QAction* bottom =
        part("view.bottom", tr("&Details"), "Q", [&workspace](bool on) { workspace.setBottomPanelVisible(on); });
    QObject::connect(&workspace, &Workspace::bottomPanelToggled, bottom, &QAction::setChecked);
}

void addPanelCommands(MainWindow& window) {
    CommandRegistry& commands = window.commands();
    Workspace& workspace = window.workspace();
    const BelowCommands below(window);
    CheckPanel& check = workspace.check();
    below.add("view.check", tr("Health &Check"), check, &CheckPanel::showPage, CheckPage::Check);
    below.add("view.check-protocol", tr("Health Check: Protocol"), check, &CheckPanel::showPage, CheckPage::Protocol);
    below.add("view.check-lists", tr("Health Check: Check Lists"), check, &CheckPanel::showPage, CheckPage::Lists);
    below.add("view.explanation", tr("Explanation"), workspace.explanation());
    below.add("view.steps", tr("&Steps"), workspace.steps());
    commands.add({id("view.critical-path"),
                  tr("View"),
                  tr("Cri&tical Path, with Its Line on the Timeline"),
                  QKeySequence(QStringLiteral("Shift+P")),
                  [&window, &commands, &workspace] {
                      workspace.showBelow(workspace.path());
                      commands.action(id("overlay.critical-path"))->setChecked(true);
                      workspace.timeline().keepSelectionInSight();
                      window.activeTimeline().bringPathIntoSight();
                  },
                  false,
                  {},
                  workspace.path().windowTitle()});
    below.add("view.grid", tr("&Grid of the Job and Groups"), workspace.grid());
    below.add("view.pipeline", tr("&Pipeline, Its Micro-Batches and Bubble"), workspace.pipeline());
    below.add("view.collectives", tr("&Collectives by Group"), workspace.collectives());
    below.add("view.charts", tr("&Charts"), workspace.charts());
    below.add("view.efficiency", tr("&Efficiency, What Is Missing of It, Roofline"), workspace.efficiency());
    CommunicationPanel& communication = workspace.communication();
    below.add("view.transfers", tr("&Transfers, Measured and Predicted"), communication, &CommunicationPanel::showPage,
              CommunicationPanel::kTransfers);
    below.add("view.overlap", tr("&Overlap, Hidden and Exposed Communication"), communication,
              &CommunicationPanel::showPage, CommunicationPanel::kOverlap);
    below.add("view.bucket-sizes", tr("&Bucket Sizes"), communication, &CommunicationPanel::showPage,
              CommunicationPanel::kBucketSizes);
    below.add("view.memory", tr("&Memory, What It Is For"), workspace.memory());
    below.add("view.tables", tr("K&ernels and Operators"), workspace.tables(), &TablesPanel::showNames, true);
    commands.add({id("view.all-facts"), tr("View"), tr("All Facts, Every Table of the Reports"), {}, [&workspace] {
                      workspace.showBelow(workspace.tables());
                      workspace.tables().showFacts();
                  }});
    below.add("view.calls", tr("&Flame Graph and Calls"), workspace.calls());
    commands.add({id("calls.of-selection"), tr("View"), tr("Show the Selection in the Flame &Graph"),
                  QKeySequence(QStringLiteral("Ctrl+G")), [&window, &workspace] {
                      if (!std::holds_alternative<SliceSelection>(workspace.timeline().selection())) {
                          window.loadingStrip().showPassing(tr("No slice is selected."));
                      }
                      workspace.showCallsOfSelection();
                  }});
    below.add("view.area", tr("Area"), workspace.area());
    below.add("view.clocks", tr("Cloc&ks"), workspace.clocks());
    below.add("view.health", tr("Trace &Health"), workspace.health());
}

void addChartCommands(MainWindow& window) {
    CommandRegistry& commands = window.commands();
    Workspace& workspace = window.workspace();
    const QString group = tr("View");
    const BelowCommands below(window);
    const auto chart = [&](const char* name, const QString& title, std::size_t which) {
        below.add(name, title, workspace.charts(), &ChartsPanel::showChart, which);
    };
    chart("view.chart-partition", tr("Chart: Where Steps Went"), ChartsPanel::kPartition);
    chart("view.chart-step-time", tr("Chart: Step Time"), ChartsPanel::kStepTime);
    chart("view.chart-distribution", tr("Chart: Distribution of Step Times"), ChartsPanel::kDistribution);
    chart("view.chart-lateness", tr("Chart: Lateness by Rank"), ChartsPanel::kLateness);
    chart("view.chart-memory", tr("Chart: Memory"), ChartsPanel::kMemory);
    chart("view.chart-roles", tr("Chart: Exposed Communication by Role"), ChartsPanel::kRoles);
    QAction* save =
        commands.add({id("view.save-chart"), group, tr("Sa&ve the Chart as a Picture..."), {}, [&workspace] {
                          workspace.showBelow(workspace.charts());  // what has not been seen is not drawn
                          workspace.charts().savePicture();
                      }});
    QObject::connect(&workspace.charts(), &ChartsPanel::canSaveChanged, save,
                     [&window, save](bool can) { save->setEnabled(can && !window.comparing().active()); });
    commands.add({id("view.save-timeline"), group, tr("Save the Time&line as a Picture..."), {}, [&window] {
                      TimelineWidget& timeline = window.activeTimeline();
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

void addLookCommands(MainWindow& window) {
    CommandRegistry& commands = window.commands();
    const QString group = tr("View");
    const auto text_size = [&](const char* name, const QString& title, const QKeySequence& keys, int direction) {
        commands.add({id(name), group, title, keys, [&window, direction] { window.changeTextSize(direction); }});
    };
    text_size("view.text-larger", tr("La&rger Text"), QKeySequence(QStringLiteral("Ctrl++")), 1);
    text_size("view.text-smaller", tr("S&maller Text"), QKeySequence(QStringLiteral("Ctrl+-")), -1);
    text_size("view.text-usual", tr("Text of the &Usual Size"), QKeySequence(QStringLiteral("Ctrl+0")), 0);
    auto* themes = new QActionGroup(&window);
    const auto theme = [&](const char* name, const QString& title, ThemeChoice choice) {
        QAction* action =
            commands.add({id(name), group, title, {}, [&window, choice] { window.setThemeChoice(choice); }, true});
        action->setChecked(window.themeChoice() == choice);
        themes->addAction(action);
    };
    theme("view.theme-desktop", tr("Theme of the Des&ktop"), ThemeChoice::FollowDesktop);
    theme("view.theme-dark", tr("&Dark Theme"), ThemeChoice::Dark);
    theme("view.theme-light", tr("&Light Theme"), ThemeChoice::Light);
}

void addViewCommands(MainWindow& window) {
    addPartCommands(window);
    addPanelCommands(window);
    addChartCommands(window);
    addLookCommands(window);
}

void addViewMenu(MainWindow& window) {
    QMenu* menu = window.menuBar()->addMenu(tr("&View"));
    window.commands().fill(menu, {id("view.side"),
                                  id("view.bottom"),
                                  id("view.overview"),
                                  {},
                                  id("view.steps"),
                                  id("view.critical-path"),
                                  id("view.charts"),
                                  id("view.memory"),
                                  id("view.tables"),
                                  id("view.calls")});
    window.commands().fill(menu->addMenu(tr("Health Check and Cloc&ks")), {id("view.check"),
                                                                           id("view.check-protocol"),
                                                                           id("view.check-lists"),
                                                                           {},
                                                                           id("view.health"),
                                                                           id("view.clocks")});
    window.commands().fill(menu->addMenu(tr("How the &Work Is Divided")),
                           {id("view.grid"), id("view.pipeline"), id("view.collectives"), {}, id(kIterationsCommand)});
    window.commands().fill(menu->addMenu(tr("How the Hardware Is &Used")),
                           {id("view.efficiency"), id("view.transfers"), id("view.overlap"), id("view.bucket-sizes")});
    window.commands().fill(menu, {{}, id("view.save-chart"), id("view.save-timeline"), {}});
    addLayoutMenu(window, menu);
    addTimelineMenus(window, menu);
    QMenu* theme = menu->addMenu(tr("T&heme"));
    window.commands().fill(theme, {id("view.theme-desktop"), id("view.theme-dark"), id("view.theme-light")});
    window.commands().fill(menu->addMenu(tr("Te&xt Size")),
                           {id("view.text-larger"), id("view.text-smaller"), id("view.text-usual")});
    window.commands().fill(menu, {{}, id("go.fit"), id("go.fit-all")});
}

/// Goes to another finding, or says why there is none.
void stepFinding(MainWindow& window, int direction) {
    const OpenRuns& runs = window.session().runs();
    const auto finds = [](const auto& run) { return !run->diagnosis.findings.empty(); };
    if (!window.comparing().active() && std::ranges::none_of(runs, finds)) {
        const bool done = std::ranges::none_of(runs, [](const auto& run) { return run->facts.ranks.empty(); });
        window.loadingStrip().showPassing(done ? tr("There is no finding.") : tr("The run is still being analysed."));
    }
    window.stepFinding(direction);
}

/// Goes to another hit of the search, or says why there is none.
void stepHit(MainWindow& window, int direction) {
    const Search& search = window.search();
    if (search.results() == nullptr || search.results()->size() == 0) {
        window.loadingStrip().showPassing(search.query().isEmpty() ? tr("Nothing is searched for.")
                                          : search.busy()          ? tr("The runs are still being searched.")
                                                                   : tr("Nothing was found."));
    }
    window.search().step(direction);
}

void addGoCommands(MainWindow& window) {
    CommandRegistry& commands = window.commands();
    const QString group = tr("Go");
    const auto timeline = [&](const char* name, const QString& title, const char* keys, TimelineAction action) {
        commands.add({id(name), group, title, QKeySequence(QLatin1String(keys)),
                      [&window, action] { window.activeTimeline().trigger(action); }});
    };
    const auto finding = [&](const char* name, const QString& title, const char* keys, int direction) {
        commands.add({id(name), group, title, QKeySequence(QLatin1String(keys)),
                      [&window, direction] { stepFinding(window, direction); }});
    };
    finding("go.next-finding", tr("&Next Finding"), "N", 1);
    finding("go.previous-finding", tr("&Previous Finding"), "Shift+N", -1);
    timeline("go.next-gap", tr("Next &Gap"), "G", TimelineAction::NextGap);
    timeline("go.previous-gap", tr("Previous G&ap"), "Shift+G", TimelineAction::PreviousGap);
    timeline("go.next-slice", tr("Next &Slice"), ".", TimelineAction::NextSlice);
    timeline("go.previous-slice", tr("Previo&us Slice"), ",", TimelineAction::PreviousSlice);
    timeline("go.follow", tr("&Follow the Launch"), "]", TimelineAction::FollowLink);
    timeline("go.follow-back", tr("Follow &It Back"), "[", TimelineAction::FollowLinkBack);
    timeline("go.other-link", tr("&Turn to Another Link On"), "Ctrl+]", TimelineAction::OtherLink);
    timeline("go.other-link-back", tr("Turn to Another Link Ba&ck"), "Ctrl+[", TimelineAction::OtherLinkBack);
    // Tables and lists want the arrows for themselves.
    const std::vector<TimelineWidget*> timelines = window.timelines();
    const auto row = [&](const char* name, const QString& title, const char* keys, TimelineAction action) {
        commands.add({id(name), group, title, QKeySequence(QLatin1String(keys)),
                      [&window, action] { window.activeTimeline().trigger(action); }, false,
                      std::vector<QWidget*>(timelines.begin(), timelines.end())});
    };
    row("go.row-below", tr("Into the Slice, or to the Track B&elow"), "Down", TimelineAction::RowBelow);
    row("go.row-above", tr("&Out of the Slice, or to the Track Above"), "Up", TimelineAction::RowAbove);
    row("go.slice-right", tr("To the Slice on the Right, as Next Slice"), "Right", TimelineAction::NextSlice);
    row("go.slice-left", tr("To the Slice on the Left, as Previous Slice"), "Left", TimelineAction::PreviousSlice);
    timeline("go.back", tr("&Back to Where You Were"), "Alt+Left", TimelineAction::GoBack);
    timeline("go.forward", tr("For&ward Again"), "Alt+Right", TimelineAction::GoForward);
    timeline("go.fit", tr("Fit the Selectio&n"), "F", TimelineAction::FitSelection);
    timeline("go.fit-all", tr("Fit &All"), "Shift+F", TimelineAction::FitAll);
}

void addSearchCommands(MainWindow& window) {
    CommandRegistry& commands = window.commands();
    const QString group = tr("Search");
    commands.add({id("search.open"), group, tr("Sea&rch..."), QKeySequence(QStringLiteral("/")), [&window] {
                      if (!window.session().runs().empty()) {
                          window.search().open();
                      }
                  }});
    // A field or a card that has the keyboard wants Enter for itself.
    const std::vector<TimelineWidget*> timelines = window.timelines();
    const std::vector<QWidget*> scope(timelines.begin(), timelines.end());
    const auto step = [&](const char* name, const QString& title, const char* keys, int direction) {
        commands.add({id(name), group, title, QKeySequence(QLatin1String(keys)),
                      [&window, direction] { stepHit(window, direction); }, false, scope});
    };
    step("search.next", tr("Next &Hit"), "Return", 1);
    step("search.previous", tr("Pre&vious Hit"), "Shift+Return", -1);
    for (const SearchBar* bar : window.findChildren<SearchBar*>()) {
        QObject::connect(bar, &SearchBar::commandsAsked, &window.commandWindows(), &CommandWindows::showPalette);
    }
    commands.add({id("search.selection"), group, tr("Fin&d the Name of the Selection"), {}, [&window] {
                      if (const QString name = window.activeTimeline().selectionWords().value(0); !name.isEmpty()) {
                          window.search().searchFor(name);
                      } else {
                          window.loadingStrip().showPassing(tr("Nothing is selected."));
                      }
                  }});
    commands.add({id("search.hits"), group, tr("&List the Hits"), {}, [&window] { window.showHits(); }});
}

void addGoMenu(MainWindow& window) {
    QMenu* menu = window.menuBar()->addMenu(tr("&Go"));
    window.commands().fill(menu, {id("go.back"),
                                  id("go.forward"),
                                  id("go.step-map"),
                                  {},
                                  id("go.next-finding"),
                                  id("go.previous-finding"),
                                  {},
                                  id("go.next-gap"),
                                  id("go.previous-gap"),
                                  {},
                                  id("go.next-slice"),
                                  id("go.previous-slice"),
                                  id("go.follow"),
                                  id("go.follow-back"),
                                  id("go.other-link"),
                                  id("go.other-link-back"),
                                  id("go.row-below"),
                                  id("go.row-above"),
                                  {}});
    window.commands().fill(menu->addMenu(tr("&Marks and Areas")), {id("mark.pass"),
                                                                   id("mark.keep"),
                                                                   id("mark.next"),
                                                                   id("mark.previous"),
                                                                   id("mark.note"),
                                                                   id("mark.remove"),
                                                                   {},
                                                                   id("area.of-selection"),
                                                                   id("area.to-selection"),
                                                                   id("area.of-all")});
    window.commands().fill(
        menu,
        {{}, id("search.open"), id("search.selection"), id("search.next"), id("search.previous"), id("search.hits")});
}

void addTimelineHints(CommandRegistry& commands) {
    const QString group = tr("Timeline");
    const auto hint = [&](const char* keys, const QString& what, std::vector<QKeySequence> taken = {}) {
        commands.addHint({group, tr(keys), what, std::move(taken)});
    };
    hint("W  S", tr("Zoom in and out at the pointer"), {Qt::Key_W, Qt::Key_S});
    hint("A  D", tr("Pan left and right"), {Qt::Key_A, Qt::Key_D});
    hint("Ctrl+Wheel", tr("Zoom at the pointer"));
    hint("Wheel", tr("Scroll"));
    hint("Shift+Drag", tr("Pan"));
    hint("Drag", tr("Add up an area: its edges snap to slices, Alt keeps them free"));
    hint("Drag", tr("On the ruler: add up a time on all tracks"));
    hint("Click", tr("On the lower edge of the ruler: set a flag; on a flag: choose it, then write its note"));
    hint("Shift+Click", tr("Extend the area in time; its edges can be dragged"));
    hint("Drag", tr("On a track's name: move it; on its lower edge: make its rows higher"));
    hint("Drag",
         tr("On the edge of the names: make them wider or narrower; a double click gives them their width back"));
    hint("Right click", tr("On a name: pin, hide, show what is hidden"));
    hint("Right click", tr("On a kernel: treat it as communication, or as compute again"));
    hint("Click", tr("On a cell above the tracks: go to that step of that rank"));
    hint("Click", tr("Select a slice or a gap"));
    hint("Arrows", tr("With the overview, a chart or the flame graph: from one part to the next; Enter goes there"));
    hint("Esc", tr("Clear the selection"), {Qt::Key_Escape});
    commands.addHint({tr("View"),
                      tr("Arrows"),
                      tr("On a line between parts of the window, where Tab leads: move it, with Shift by a pixel"),
                      {}});
}

}  // namespace

void fillSliceMenu(const CommandRegistry& commands, QMenu& menu) {
    commands.fill(&menu, {id("go.fit"),
                          id("go.follow"),
                          id("go.follow-back"),
                          {},
                          id("copy.name"),
                          id("copy.selection"),
                          id("search.selection"),
                          id("calls.of-selection"),
                          {},
                          id("mark.keep"),
                          id("area.of-selection"),
                          {}});
}

void checkFileCommands(MainWindow& window) {
    const Session& session = window.session();
    const bool nothing = session.runs().empty() && session.snapshots().empty();
    const auto enable = [&](const char* name, bool on) { window.commands().action(id(name))->setEnabled(on); };
    enable("file.close", !nothing);
    enable("file.close-all", !nothing);
    enable("file.reopen", session.canReopen());
    enable("job.describe",
           std::ranges::any_of(session.runs(), [](const auto& run) { return !run->facts.ranks.empty(); }));
    // What was read from its trace is all there.
    enable("file.open-step", std::ranges::any_of(session.runs(), [](const auto& run) {
               return std::ranges::any_of(run->run->ranks, [](const auto& rank) {
                   return !rank->files.empty() && !rank->files.front().digest.empty();
               });
           }));
}

void addWindowCommands(MainWindow& window) {
    // In this order they stand in the help and among all commands: what one does most comes first.
    addGoCommands(window);
    addTimelineCommands(window);
    addSearchCommands(window);
    addViewCommands(window);
    addIterationCommand(window);
    addLayoutCommands(window);
    addCompareCommands(window);
    addFileCommands(window);
    addFileMenu(window);
    addEditMenu(window);
    addViewMenu(window);
    addGoMenu(window);
    addCompareMenu(window);
    addHelpCommands(window);
    addTimelineHints(window.commands());
    // What was said of the last command is said beside nothing that has happened since.
    QObject::connect(&window.commands(), &CommandRegistry::begun, &window.loadingStrip(), &LoadingStrip::endPassing);
    new LeftKeys(window);  // the window's
    new HeldKeys(window);  // and this too
    window.workspace().efficiency().setJobAction(window.commands().action(id("job.describe")));
}

}  // namespace rankscope::ui
