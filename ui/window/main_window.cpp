// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
#include <QIcon>
#include <QMenu>
#include <QSettings>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <initializer_list>
#include <utility>

#include "ui/commands/command_registry.h"
#include "ui/commands/key_choices.h"
#include "ui/compare/compare_view.h"
#include "ui/panels/hang/hang_panel.h"
#include "ui/panels/memory/memory_panel.h"
#include "ui/panels/network/network_panel.h"
#include "ui/panels/query/query_panel.h"
#include "ui/panels/selection/details_panel.h"
#include "ui/panels/shared/words.h"
#include "ui/panels/steps/step_map_view.h"
#include "ui/panels/steps/steps_panel.h"
#include "ui/panels/trace/clocks_panel.h"
#include "ui/panels/trace/health_panel.h"
#include "ui/panels/whatif/what_if_panel.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/appearance.h"
#include "ui/window/commands/command_windows.h"
#include "ui/window/commands/compare_commands.h"
#include "ui/window/commands/file_commands.h"
#include "ui/window/commands/grouping_commands.h"
#include "ui/window/commands/iteration_command.h"
#include "ui/window/commands/timeline_commands.h"
#include "ui/window/commands/window_commands.h"
#include "ui/window/comparison/compare_dialog.h"
#include "ui/window/comparison/compare_offer.h"
#include "ui/window/comparison/comparing.h"
#include "ui/window/help/guide_strip.h"
#include "ui/window/opening/drop_target.h"
#include "ui/window/opening/job_dialog.h"
#include "ui/window/opening/loading_strip.h"
#include "ui/window/opening/locate_offer.h"
#include "ui/window/opening/name_rule_strip.h"
#include "ui/window/opening/open_requests.h"
#include "ui/window/opening/run_question.h"
#include "ui/window/opening/samples.h"
#include "ui/window/opening/trace_dialogs.h"
#include "ui/window/opening/trace_finder.h"
#include "ui/window/opening/welcome_page.h"
#include "ui/window/places/panel_places.h"
#include "ui/window/places/panel_window.h"
#include "ui/window/report_export.h"
#include "ui/window/selection_flow.h"
#include "ui/window/session/analysis_requests.h"
#include "ui/window/session/session_keeper.h"
#include "ui/window/step_map_page.h"
#include "ui/window/step_opener.h"
#include "ui/window/window_group.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

const QString kGeometryKey = QStringLiteral("layout/window");
const QString kQuestionsKey = QStringLiteral("query/history");

/// The session that is restored is next to the settings file.
QString lastSession(const QSettings& settings) {
    return QFileInfo(settings.fileName()).absolutePath() + QStringLiteral("/last-session.json");
}

}  // namespace

MainWindow::MainWindow(QSettings& settings, QWidget* parent)
    : MainWindow(settings, std::make_shared<WindowGroup>(settings), parent) {}

MainWindow::MainWindow(QSettings& settings, std::shared_ptr<WindowGroup> group, QWidget* parent)
    : QMainWindow(parent),
      settings_(settings),
      group_(std::move(group)),
      session_(&group_->session()),
      requests_(new OpenRequests(*session_, settings, *this)),
      commands_(new CommandRegistry(this)),
      command_windows_(new CommandWindows(*commands_, settings, this)),
      pages_(new QStackedWidget),
      welcome_(new WelcomePage),
      workspace_(new Workspace(theme(), group_->indices())),
      compare_view_(new CompareView(theme(), group_->indices())),
      step_map_(new StepMapPage(theme())),
      comparing_(new Comparing(*session_, *compare_view_, this)),
      offer_(new CompareOffer),
      guide_(new GuideStrip),
      locate_(new LocateOffer),
      finder_(new TraceFinder(this)),
      traces_(new LocateOffer),
      opener_(new StepOpener(*session_, this)),
      question_(new RunQuestion(*session_)),
      rules_(new NameRuleStrip(*session_)),
      strip_(new LoadingStrip(session_->loader(), theme())),
      sessions_(new SessionKeeper(*session_, *workspace_, *comparing_, lastSession(settings), this)),
      reports_(new ReportExport(*session_, *comparing_, this)) {
    layOut();
    addWindowCommands(*this);
    keepKeyChoices(*commands_, settings_);
    wire();
    number_ = group_->join(*this, *commands_, workspace_->timeline());
    showRecent();
    welcome_->setSamples(sampleRuns());

    setWindowIcon(QIcon(QStringLiteral(":/icons/rankscope.svg")));
    resize(1280, 800);
    restoreGeometry(settings_.value(kGeometryKey).toByteArray());
    workspace_->restoreLayout(settings_);
    applyTheme();
    showRuns();
}

void MainWindow::layOut() {
    for (QWidget* page : std::initializer_list<QWidget*>{welcome_, workspace_, compare_view_, step_map_}) {
        pages_->addWidget(page);
    }
    auto* central = new QWidget;
    auto* layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(strip_);
    layout->addWidget(rules_);
    layout->addWidget(locate_);
    layout->addWidget(traces_);
    layout->addWidget(question_);
    layout->addWidget(offer_);
    layout->addWidget(guide_);
    layout->addWidget(pages_, 1);
    setCentralWidget(central);
}

void MainWindow::wire() {
    connect(session_, &Session::runsChanged, this, &MainWindow::showRuns);
    connect(session_, &Session::snapshotOpened, workspace_, &Workspace::showSnapshot);
    connect(&workspace_->memory(), &MemoryPanel::closeAsked, session_, &Session::closeSnapshot);
    connect(session_, &Session::logsOpened, workspace_, &Workspace::showLogs);
    connect(session_, &Session::dumpsOpened, workspace_, &Workspace::showDumps);
    connect(&workspace_->network(), &NetworkPanel::closeAsked, session_, &Session::closeLogs);
    connect(&workspace_->hang(), &HangPanel::closeAsked, session_, &Session::closeDumps);
    connect(&workspace_->memory(), &MemoryPanel::jobAsked, this, &MainWindow::describeJob);
    connect(session_, &Session::opening, this,
            [this](const QStringList& paths) { strip_->begin(paths, session_->goesOn()); });
    connect(requests_, &OpenRequests::sessionAsked, sessions_, &SessionKeeper::open);
    connect(requests_, &OpenRequests::comparisonAsked, this,
            [this](const QStringList& paths) { comparing_->start({session_->runs().front()->run}, {paths}); });
    connect(requests_, &OpenRequests::recentChanged, group_.get(), &WindowGroup::recentChanged);
    connect(group_.get(), &WindowGroup::recentChanged, this, &MainWindow::showRecent);
    connect(&appearance(), &Appearance::changed, this, &MainWindow::applyTheme);
    connectClocks(*session_, workspace_->clocks());
    connectGroups(*session_, workspace_->grid());
    connectIterations(*session_, workspace_->steps().iterations());
    connect(sessions_, &SessionKeeper::filesMissing, locate_, &LocateOffer::setMissing);
    connect(locate_, &LocateOffer::located, sessions_, &SessionKeeper::locate);
    wireStepMap();
    connectTraces(*session_, *finder_, *traces_);
    connect(session_, &Session::pathMapChanged, this, &MainWindow::showRuns);
    connect(opener_, &StepOpener::told, strip_, [this](const QString& words) { strip_->showNotice(words, {}); });
    connect(opener_, &StepOpener::waiting, strip_, &LoadingStrip::showStage);
    connect(opener_, &StepOpener::notHere, traces_, &LocateOffer::askAgain);
    connect(opener_, &StepOpener::opened, this, &MainWindow::showStep);
    connect(sessions_, &SessionKeeper::shown, this, [this] {
        checkTimelineCommands(*this);
        active().timeline().setFocus();  // the widget that had the focus may have been deleted with the previous layout
    });
    connect(sessions_, &SessionKeeper::failed, strip_, &LoadingStrip::showFailure);
    connect(sessions_, &SessionKeeper::saved, strip_,
            [this](const QString& to) { strip_->showNotice(tr("Saved"), to); });
    connect(reports_, &ReportExport::failed, strip_, &LoadingStrip::showFailure);
    connect(reports_, &ReportExport::saved, strip_, [this](const QString& to) { strip_->showNotice(tr("Saved"), to); });
    connect(comparing_, &Comparing::changed, this, &MainWindow::showRuns);
    connect(comparing_, &Comparing::openAsked, requests_, &OpenRequests::open);
    for (const TimelineWidget* timeline : active().timelines()) {
        connect(timeline, &TimelineWidget::sliceMenuAsked, rules_,
                [this](QMenu* menu, const RankTrace* rank, SliceRef slice, WorkClass work) {
                    fillSliceMenu(*commands_, *menu);
                    rules_->offer(*menu, *rank, slice, work);
                });
    }
    connect(&workspace_->health(), &HealthPanel::treatAsked, rules_,
            [this](const QString& kernel, bool communication) { rules_->treat(kernel.toStdString(), communication); });
    workspace_->query().setHistory(settings_.value(kQuestionsKey).toStringList());
    connect(&workspace_->query(), &QueryPanel::historyChanged, this,
            [this](const QStringList& questions) { settings_.setValue(kQuestionsKey, questions); });
    connect(&workspace_->query(), &QueryPanel::historyChanged, group_.get(), &WindowGroup::questionsChanged);
    connect(group_.get(), &WindowGroup::questionsChanged, &workspace_->query(), &QueryPanel::setHistory);
    connect(&workspace_->places(), &PanelPlaces::windowOpened, this, &MainWindow::adopt);
    connect(guide_, &GuideStrip::stopReached, this, &MainWindow::showStop);
    connect(offer_, &CompareOffer::accepted, this, &MainWindow::compareOpenRuns);
    connect(&workspace_->whatIf(), &WhatIfPanel::forecastMade, this, &MainWindow::showForecast);
    takeDrops(this);
    // Queued: the focus changes while the widget that had it is being deleted.
    connect(qApp, &QApplication::focusChanged, this, &MainWindow::keepKeyboard, Qt::QueuedConnection);
    connect(welcome_, &WelcomePage::openRequested, this, [this](const QStringList& paths) { open(paths); });
    connect(welcome_, &WelcomePage::openFilesRequested, requests_, &OpenRequests::askForFiles);
    connect(welcome_, &WelcomePage::openFolderRequested, requests_, &OpenRequests::askForFolder);
}

MainWindow::~MainWindow() {
    group_->forget(*this);
}

ActiveView MainWindow::active() {
    return {*workspace_, *comparing_};
}

Appearance& MainWindow::appearance() {
    return group_->appearance();
}

const Theme& MainWindow::theme() const {
    return group_->appearance().theme();
}

void MainWindow::takeDrops(QWidget* window) {
    auto* target = new DropTarget(window, theme(), *session_);
    target->setSides([this](const QPoint& on_screen) { return compareView().sideAt(on_screen); });
    connect(target, &DropTarget::dropped, requests_, &OpenRequests::drop);
    connect(target, &DropTarget::droppedOn, this,
            [this](Side side, const QStringList& paths) { comparing_->add(side, paths); });
}

// ---- several windows

void MainWindow::leave() {
    group_->leave(*this);
    comparing_->leave();
    disconnect(session_, nullptr, this, nullptr);
    disconnect(session_, nullptr, requests_, nullptr);
    workspace_->setRuns({}, {});
    workspace_->setCompanions({});
}

MainWindow& MainWindow::openAnother() {
    constexpr QPoint kBeside(40, 40);
    auto* next = new MainWindow(settings_, group_, nullptr);
    next->setAttribute(Qt::WA_DeleteOnClose);
    next->setGeometry(whollyOnAScreen(geometry().translated(kBeside)));
    PanelLayout layout = workspace_->layout();
    std::erase_if(layout.moved, [](const PanelLayout::Moved& panel) { return panel.place == PanelPlace::Window; });
    next->workspace_->setLayout(layout);
    next->workspace_->setSidePanelVisible(workspace_->sidePanelVisible());
    next->show();
    TimelineState state = workspace_->timeline().state();
    state.area.reset();  // it belongs to the user's actions here
    next->workspace_->timeline().setState(state);
    checkTimelineCommands(*next);
    next->offer_->declineAs(*offer_);
    next->activateWindow();
    return *next;
}

void MainWindow::quit() {
    group_->closeAll(*this);
}

void MainWindow::adopt(QWidget* panel_window) {
    commands_->actIn(panel_window);
    takeDrops(panel_window);
}

void MainWindow::showRecent() {
    welcome_->setRecent(requests_->recent().entries());
    Q_EMIT recentChanged();
}

void MainWindow::open(const QStringList& paths, OpenMode mode) {
    requests_->open(paths, mode);
}

void MainWindow::compare(const QStringList& a, const QStringList& b) {
    const auto recordings = [](const QStringList& paths) {
        CompareSources sources;
        for (const QString& path : paths) {
            sources.emplace_back(QStringList{path});
        }
        return sources;
    };
    comparing_->start(recordings(a), recordings(b));
}

void MainWindow::compareOpenRuns() {
    if (!comparing_->startOnlyTwo()) {
        askForComparison();
    }
}

void MainWindow::showWhenOpened(const PlaceLink& place) {
    // Queued: all other listeners must have handled the end first.
    connect(
        session_, &Session::idle, this, [this, place] { showPlace(place, *workspace_); },
        static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
}

void MainWindow::showForecast(const std::shared_ptr<const Run>& measured, const std::shared_ptr<const Run>& forecast) {
    const OpenRuns& runs = session_->runs();
    const auto at = std::ranges::find_if(runs, [&](const auto& run) { return run->run == measured; });
    if (at != runs.end()) {
        session_->addForecast(forecast, session_->choices()[static_cast<std::size_t>(at - runs.begin())]);
        comparing_->start({measured}, {forecast});
    }
}

void MainWindow::askForComparison() {
    auto* dialog = new CompareDialog(session_->runs(), requests_->recent().entries(), settings_, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        const auto [a, b] = dialog->chosen();
        comparing_->start({a}, {b});
    });
    dialog->open();
}

void MainWindow::askForRecording(Side side) {
    const QString folder = askForTraceFolder(this, settings_, tr("Add a folder of traces to the comparison"));
    comparing_->add(side, folder.isEmpty() ? QStringList() : QStringList{folder});
}

void MainWindow::describeJob() {
    const std::size_t run = active().currentRun();
    if (run < session_->runs().size() && !session_->runs()[run]->facts.ranks.empty()) {
        auto* dialog = new JobDialog(*session_, run, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    }
}

void MainWindow::applyTheme() {
    appearance().applyToApplication();
    setPalette(theme().palette());
    setFont(theme().ui_font);  // before the event loop runs, windows are not notified of a new font
    for (PanelWindow* panel : findChildren<PanelWindow*>()) {
        panel->setFont(theme().ui_font);
    }
    setStyleSheet(theme().styleSheet());
    workspace_->setTheme(theme());
    compare_view_->setTheme(theme());
    step_map_->setTheme(theme());
    strip_->setTheme(theme());
    for (DropTarget* target : findChildren<DropTarget*>()) {
        target->setTheme(theme());
    }
}

void MainWindow::showStop(const report::GuideStop& stop) {
    const auto& runs = session_->runs();
    const auto run = static_cast<std::uint32_t>(std::ranges::find(runs, guide_->run()) - runs.begin());
    if (run >= runs.size()) {
        return;
    }
    workspace_->flow().showPlace(run, stop.rank, stop.span, stop.slice);
}

void MainWindow::showTitle() {
    const QStringList names = session_->names();
    const QString program = number_ > 1 ? QStringLiteral("Rankscope (%1)").arg(number_) : QStringLiteral("Rankscope");
    setWindowTitle(names.isEmpty() ? program : names.join(QStringLiteral(" + ")) + QStringLiteral(" – ") + program);
}

void MainWindow::showRuns() {
    const OpenRuns& runs = session_->runs();
    showTitle();
    if (session_->empty() && !session_->loader().busy()) {
        step_map_->setTable({}, nullptr);
        strip_->dismiss();  // it belongs to what was open before
    }
    workspace_->setRuns(runs, session_->choices());
    workspace_->setCompanions(session_->companions());
    const PathMap map = session_->pathMap();
    workspace_->details().setPathMap(map);
    finder_->look(runs, map);
    offer_->setRuns(runs, session_->wholeRuns(), comparing_->active());
    guide_->keepTo(comparing_->active() ? OpenRuns() : runs);
    choosePage();
    checkFileCommands(*this);
    checkCompareCommands(*this);
    checkGroupingCommands(*this);
    checkIterationCommand(*this);
}

void MainWindow::choosePage() {
    const bool nothing = session_->empty();
    QWidget* page = comparing_->active()                   ? static_cast<QWidget*>(compare_view_)
                    : map_wanted_ && step_map_->hasTable() ? step_map_
                    : nothing                              ? static_cast<QWidget*>(welcome_)
                                                           : workspace_;
    const bool appears = page != welcome_ && pages_->currentWidget() != page;
    pages_->setCurrentWidget(page);
    if (appears && page == step_map_) {
        step_map_->view().setFocus();
    } else if (appears) {
        active().timeline().setFocus();  // its keys work immediately
    }
    step_map_->setTimelineThere(!session_->runs().empty());
    QAction* command = commands_->action(QStringLiteral("go.step-map"));
    command->setEnabled(step_map_->hasTable());
    command->setChecked(page == step_map_);
}

void MainWindow::showStepMap(bool shown) {
    map_wanted_ = shown;
    choosePage();
}

// The map is in front until the run being read is analysed; after that it is shown only on request.
void MainWindow::wireStepMap() {
    connect(&session_->loader(), &RunLoader::stepsKnown, this,
            [this](const QString& name, const std::shared_ptr<const StepTable>& steps) {
                step_map_->setTable(name, steps);
                showStepMap(true);
            });
    connect(session_, &Session::idle, this, [this] {
        showStepMap(false);
        const auto is_many = [](const auto& run) { return run->run->ranks.size() >= kManyRanks; };
        if (requests_->takeAsked() && std::ranges::any_of(session_->runs(), is_many)) {
            workspace_->showFromAfar();
        }
        step_map_->keepTo(session_->runs());
        choosePage();
        opener_->goOn();
    });
    connect(step_map_, &StepMapPage::timelineAsked, this, [this] { showStepMap(false); });
    connect(&step_map_->view(), &StepMapView::cellActivated, opener_, &StepOpener::goTo);
}

void MainWindow::showStep(std::uint32_t run, RankPosition rank, RankStepPosition step) {
    showStepMap(false);
    workspace_->flow().showStep(run, rank, step);
}

void MainWindow::keepKeyboard() {
    if (focusWidget() == nullptr && (pages_->currentWidget() == workspace_ || comparing_->active())) {
        active().timeline().setFocus();
    }
}

void MainWindow::openStepFromTrace() {
    opener_->open(workspace_->timeline());
}

bool MainWindow::event(QEvent* event) {
    // The window has its own palette, so a change of the application's palette comes from the desktop.
    if (event->type() == QEvent::ApplicationPaletteChange) {
        appearance().followDesktop();
    }
    if (event->type() == QEvent::WindowActivate) {
        keepKeyboard();  // otherwise it goes to whichever widget comes first
    }
    return QMainWindow::event(event);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    settings_.setValue(kGeometryKey, saveGeometry());
    workspace_->saveLayout(settings_);
    settings_.sync();  // creates the folder at the first start
    if (group_->size() > 1) {
        leave();
    } else {
        sessions_->saveLast();
        session_->loader().giveUp();
        session_->reanalysis().cancel();
    }
    QMainWindow::closeEvent(event);
}

}  // namespace rankscope::ui
