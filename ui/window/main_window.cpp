// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
#include <QIcon>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "core/remote/remote_path.h"
#include "ui/commands/command_registry.h"
#include "ui/commands/key_choices.h"
#include "ui/compare/compare_panel.h"
#include "ui/compare/compare_view.h"
#include "ui/panels/clocks_panel.h"
#include "ui/panels/details_panel.h"
#include "ui/panels/grid_panel.h"
#include "ui/panels/health_panel.h"
#include "ui/panels/hits_panel.h"
#include "ui/panels/iterations_choice.h"
#include "ui/panels/memory_panel.h"
#include "ui/panels/search.h"
#include "ui/panels/step_map_view.h"
#include "ui/panels/steps_panel.h"
#include "ui/panels/words.h"
#include "ui/theme/core_text.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/command_windows.h"
#include "ui/window/compare_commands.h"
#include "ui/window/compare_dialog.h"
#include "ui/window/compare_offer.h"
#include "ui/window/comparing.h"
#include "ui/window/drop_target.h"
#include "ui/window/grouping_commands.h"
#include "ui/window/guide_strip.h"
#include "ui/window/iteration_command.h"
#include "ui/window/job_dialog.h"
#include "ui/window/loading_strip.h"
#include "ui/window/locate_offer.h"
#include "ui/window/name_rule_strip.h"
#include "ui/window/panel_places.h"
#include "ui/window/report_export.h"
#include "ui/window/samples.h"
#include "ui/window/session_keeper.h"
#include "ui/window/shared_runs.h"
#include "ui/window/step_map_page.h"
#include "ui/window/step_opener.h"
#include "ui/window/timeline_commands.h"
#include "ui/window/trace_dialogs.h"
#include "ui/window/trace_finder.h"
#include "ui/window/welcome_page.h"
#include "ui/window/window_commands.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

const QString kThemeKey = QStringLiteral("theme");
const QString kTextSizeKey = QStringLiteral("text_size");
const QString kGeometryKey = QStringLiteral("layout/window");

/// The session that comes back lies beside the settings.
QString lastSession(const QSettings& settings) {
    return QFileInfo(settings.fileName()).absolutePath() + QStringLiteral("/last-session.json");
}

/// What is chosen in the panel is done by the session, and how that goes is told in the panel.
void connectClocks(Session& session, ClocksPanel& panel) {
    QObject::connect(&panel, &ClocksPanel::chosen, &session, [&](std::uint32_t run, const ClockChoice& choice) {
        panel.showProgress(MainWindow::tr("Analysing again on the new clock..."));
        session.setClocks(run, choice);
    });
    QObject::connect(&panel, &ClocksPanel::cancelRequested, &session.reanalysis(), &Reanalysis::cancel);
    QObject::connect(&session.reanalysis(), &Reanalysis::progressed, &panel, [&](const Progress& progress) {
        if (session.reanalysis().busy()) {
            panel.showProgress(MainWindow::tr("Analysing again: %1").arg(coreText(progress.stage)));
        }
    });
    QObject::connect(&session.reanalysis(), &Reanalysis::finished, &panel, [&] {
        if (!session.reanalysis().busy()) {
            panel.showProgress({});
        }
    });
}

/// The same of what is said of groups.
void connectGroups(Session& session, GridPanel& panel) {
    QObject::connect(&panel, &GridPanel::roleChosen, &session,
                     [&](std::uint32_t run, const QString& group, std::optional<Role> role) {
                         panel.showProgress(MainWindow::tr("Analysing again with what you say of %1...").arg(group));
                         session.setRole(run, group.toStdString(), role);
                     });
    QObject::connect(&session.reanalysis(), &Reanalysis::finished, &panel, [&] {
        if (!session.reanalysis().busy()) {
            panel.showProgress({});
        }
    });
}

/// The same of the iterations of servers.
void connectIterations(Session& session, IterationsChoice& choice) {
    QObject::connect(&choice, &IterationsChoice::chosen, &session,
                     [&](std::uint32_t run, std::optional<IterationKind> kind) {
                         choice.showProgress(MainWindow::tr("Analysing again with prices of these iterations..."));
                         session.setIterations(run, kind);
                     });
    QObject::connect(&session.reanalysis(), &Reanalysis::finished, &choice, [&] {
        if (!session.reanalysis().busy()) {
            choice.showProgress({});
        }
    });
}

/// What the user says of where the traces of digests are is kept by the session.
void connectTraces(Session& session, TraceFinder& finder, LocateOffer& offer) {
    QObject::connect(&finder, &TraceFinder::looked, &offer, &LocateOffer::setMissingTraces);
    QObject::connect(&offer, &LocateOffer::located, &finder, &TraceFinder::lookIn);
    QObject::connect(&finder, &TraceFinder::notFound, &offer, &LocateOffer::sayNotThere);
    QObject::connect(&finder, &TraceFinder::found, &session, [&session](const MappedFolder& folder) {
        PathMap map = session.pathMap();
        map.push_back(folder);
        session.setPathMap(std::move(map));
    });
}

}  // namespace

MainWindow::MainWindow(QSettings& settings, QWidget* parent)
    : MainWindow(settings, std::make_shared<SharedRuns>(), parent) {}

MainWindow::MainWindow(QSettings& settings, std::shared_ptr<SharedRuns> shared, QWidget* parent)
    : QMainWindow(parent),
      settings_(settings),
      recent_(settings),
      choice_(themeChoiceOf(settings.value(kThemeKey).toString())),
      text_size_(settings.value(kTextSizeKey, kUsualTextSize).toInt()),
      theme_(themeOf(choice_)),
      shared_(std::move(shared)),
      session_(&shared_->session),
      commands_(new CommandRegistry(this)),
      command_windows_(new CommandWindows(*commands_, settings, this)),
      pages_(new QStackedWidget),
      welcome_(new WelcomePage),
      workspace_(new Workspace(theme_, shared_->indices)),
      compare_view_(new CompareView(theme_, shared_->indices)),
      step_map_(new StepMapPage(theme_)),
      comparing_(new Comparing(*session_, *compare_view_, this)),
      offer_(new CompareOffer),
      guide_(new GuideStrip),
      locate_(new LocateOffer),
      finder_(new TraceFinder(this)),
      traces_(new LocateOffer),
      opener_(new StepOpener(*session_, this)),
      rules_(new NameRuleStrip(*session_)),
      strip_(new LoadingStrip(session_->loader(), theme_)),
      sessions_(new SessionKeeper(*session_, *workspace_, *comparing_, lastSession(settings), this)),
      reports_(new ReportExport(*session_, *comparing_, this)) {
    layOut();
    addWindowCommands(*this);
    keepKeyChoices(*commands_, settings_);
    wire();
    join();
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
    layout->addWidget(offer_);
    layout->addWidget(guide_);
    layout->addWidget(pages_, 1);
    setCentralWidget(central);
}

void MainWindow::wire() {
    connect(session_, &Session::runsChanged, this, &MainWindow::showRuns);
    connect(session_, &Session::snapshotOpened, workspace_, &Workspace::showSnapshot);
    connect(&workspace_->memory(), &MemoryPanel::closeAsked, session_, &Session::closeSnapshot);
    connect(&workspace_->memory(), &MemoryPanel::jobAsked, this, &MainWindow::describeJob);
    connect(session_, &Session::opening, this,
            [this](const QStringList& paths) { strip_->begin(paths, session_->goesOn()); });
    connect(session_, &Session::opened, this, &MainWindow::remember);
    connect(session_, &Session::idle, this, [this] { asked_.clear(); });
    connectClocks(*session_, workspace_->clocks());
    connectGroups(*session_, workspace_->grid());
    connectIterations(*session_, workspace_->steps().iterations());
    connect(sessions_, &SessionKeeper::filesMissing, locate_, &LocateOffer::setMissing);
    connect(locate_, &LocateOffer::located, sessions_, &SessionKeeper::locate);
    wireStepMap();
    connectTraces(*session_, *finder_, *traces_);
    connect(session_, &Session::pathMapChanged, this, &MainWindow::showRuns);
    connect(opener_, &StepOpener::told, strip_, [this](const QString& words) { strip_->showNotice(words, {}); });
    connect(opener_, &StepOpener::notHere, traces_, &LocateOffer::askAgain);
    connect(opener_, &StepOpener::opened, this, &MainWindow::showStep);
    connect(sessions_, &SessionKeeper::shown, this, [this] {
        checkTimelineCommands(*this);
        activeTimeline().setFocus();  // what had it may have gone with the layout before
    });
    connect(sessions_, &SessionKeeper::failed, strip_, &LoadingStrip::showFailure);
    connect(sessions_, &SessionKeeper::saved, strip_,
            [this](const QString& to) { strip_->showNotice(tr("Saved"), to); });
    connect(reports_, &ReportExport::failed, strip_, &LoadingStrip::showFailure);
    connect(reports_, &ReportExport::saved, strip_, [this](const QString& to) { strip_->showNotice(tr("Saved"), to); });
    connect(comparing_, &Comparing::changed, this, &MainWindow::showRuns);
    connect(comparing_, &Comparing::openAsked, this, &MainWindow::open);
    for (const TimelineWidget* timeline : timelines()) {
        connect(timeline, &TimelineWidget::sliceMenuAsked, rules_,
                [this](QMenu* menu, const RankTrace* rank, SliceRef slice, WorkClass work) {
                    fillSliceMenu(*commands_, *menu);
                    rules_->offer(*menu, *rank, slice, work);
                });
    }
    connect(&workspace_->health(), &HealthPanel::treatAsked, rules_,
            [this](const QString& kernel, bool communication) { rules_->treat(kernel.toStdString(), communication); });
    connect(&workspace_->places(), &PanelPlaces::windowOpened, this, &MainWindow::adopt);
    connect(guide_, &GuideStrip::stopReached, this, &MainWindow::showStop);
    connect(offer_, &CompareOffer::accepted, this, &MainWindow::compareOpenRuns);
    takeDrops(this);
    // Queued: it goes while what had it is being deleted.
    connect(qApp, &QApplication::focusChanged, this, &MainWindow::keepKeyboard, Qt::QueuedConnection);
    connect(welcome_, &WelcomePage::openRequested, this, [this](const QStringList& paths) { open(paths); });
    connect(welcome_, &WelcomePage::openFilesRequested, this, &MainWindow::askForFiles);
    connect(welcome_, &WelcomePage::openFolderRequested, this, &MainWindow::askForFolder);
}

MainWindow::~MainWindow() {
    std::erase(shared_->windows, this);
}

void MainWindow::takeDrops(QWidget* window) {
    auto* target = new DropTarget(window, theme_, *session_);
    connect(target, &DropTarget::dropped, this, &MainWindow::drop);
}

// ---- several windows

void MainWindow::join() {
    const auto taken = [this](int number) {
        return std::ranges::find(shared_->windows, number, &MainWindow::number_) != shared_->windows.end();
    };
    while (taken(number_)) {
        ++number_;
    }
    for (const MainWindow* other : shared_->windows) {
        connect(other->commands_, &CommandRegistry::keysChanged, commands_,
                [this, other](const QString& id) { commands_->setKeys(id, other->commands_->keysOf(id)); });
        connect(commands_, &CommandRegistry::keysChanged, other->commands_,
                [this, other](const QString& id) { other->commands_->setKeys(id, commands_->keysOf(id)); });
    }
    shared_->windows.push_back(this);
}

void MainWindow::leave() {
    std::erase(shared_->windows, this);
    const std::vector<TimeMark> marks = workspace_->timeline().state().marks;
    for (const MainWindow* other : shared_->windows) {
        TimelineState state = other->workspace_->timeline().state();
        const std::size_t before = state.marks.size();
        std::ranges::copy_if(marks, std::back_inserter(state.marks), [&state](const TimeMark& mark) {
            return std::ranges::find(state.marks, mark) == state.marks.end();
        });
        if (state.marks.size() > before) {
            other->workspace_->timeline().setState(state);
        }
    }
    comparing_->leave();
    disconnect(session_, nullptr, this, nullptr);
    workspace_->setRuns({}, {});
    workspace_->setSnapshots({});
}

MainWindow& MainWindow::openAnother() {
    constexpr QPoint kBeside(40, 40);
    auto* next = new MainWindow(settings_, shared_, nullptr);
    next->setAttribute(Qt::WA_DeleteOnClose);
    next->setGeometry(whollyOnAScreen(geometry().translated(kBeside)));
    PanelLayout layout = workspace_->layout();
    std::erase_if(layout.moved, [](const PanelLayout::Moved& panel) { return panel.place == PanelPlace::Window; });
    next->workspace_->setLayout(layout);
    next->workspace_->setSidePanelVisible(workspace_->sidePanelVisible());
    next->show();
    if (next->choice_ != choice_) {
        next->useTheme(choice_);  // another one is kept
    }
    TimelineState state = workspace_->timeline().state();
    state.area.reset();  // it is of what is done here
    next->workspace_->timeline().setState(state);
    checkTimelineCommands(*next);
    next->offer_->declineAs(*offer_);
    next->activateWindow();
    return *next;
}

void MainWindow::quit() {
    const std::vector<MainWindow*> all = shared_->windows;
    for (MainWindow* other : all) {
        if (other != this) {
            other->close();
        }
    }
    if (std::ranges::find(all, this) != all.end()) {
        close();
    }
}

void MainWindow::adopt(QWidget* panel_window) {
    commands_->actIn(panel_window);
    takeDrops(panel_window);
}

void MainWindow::showRecent() {
    welcome_->setRecent(recent_.entries());
    Q_EMIT recentChanged();
}

void MainWindow::open(const QStringList& paths, OpenMode mode) {
    if (paths.isEmpty()) {
        return;
    }
    if (paths.size() == 1 && SessionKeeper::isSession(paths.front())) {
        sessions_->open(paths.front());
        return;
    }
    asked_.append(paths);
    just_asked_ = true;
    session_->open(paths, mode);
}

// What could not be read is not offered again, and neither is what a session brings back.
void MainWindow::remember(const QStringList& paths) {
    if (asked_.removeAll(paths) > 0) {
        recent_.add(paths);
        std::ranges::for_each(shared_->windows, &MainWindow::showRecent);
    }
}

// A second run that is dropped with Alt is compared with the first.
void MainWindow::drop(const QStringList& paths, OpenMode mode) {
    // What comes from another machine is known by another path when it is here.
    const bool remote =
        std::ranges::any_of(paths, [](const QString& path) { return isRemotePath(path.toStdString()); });
    if (mode == OpenMode::Beside && session_->runs().size() == 1 && !areSnapshots(paths) && !remote) {
        comparing_->start(session_->runs().front()->run, paths);
    } else {
        open(paths, mode);
    }
}

void MainWindow::compare(const QStringList& a, const QStringList& b) {
    comparing_->start(a, b);
}

void MainWindow::compareOpenRuns() {
    const std::vector<std::size_t> whole = session_->wholeRuns();
    if (session_->runs().size() == 2) {
        comparing_->startOpen(0, 1);
    } else if (whole.size() == 2) {
        comparing_->startOpen(whole.front(), whole.back());
    } else {
        askForComparison();
    }
}

void MainWindow::showPlace(const PlaceLink& place) {
    const OpenRuns& runs = session_->runs();
    if (place.slice && place.slice->run < runs.size() &&
        exists(*runs[place.slice->run], place.slice->rank, place.slice->slice)) {
        workspace_->reveal(*place.slice);
    }
    TimelineState state = workspace_->timeline().state();
    state.window = place.window;
    workspace_->timeline().setState(state);
}

void MainWindow::showWhenOpened(const PlaceLink& place) {
    // Queued: whoever else hears of the end shall have drawn its conclusions.
    connect(
        session_, &Session::idle, this, [this, place] { showPlace(place); },
        static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
}

PlaceLink MainWindow::currentPlace() {
    const TimelineWidget& timeline = workspace_->timeline();
    PlaceLink place{timeline.viewport().window(), {}};
    if (const auto* slice = std::get_if<SliceSelection>(&timeline.selection())) {
        place.slice = *slice;
    }
    return place;
}

void MainWindow::askForComparison() {
    auto* dialog = new CompareDialog(session_->runs(), recent_.entries(), settings_, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        const auto [a, b] = dialog->chosen();
        comparing_->start(a, b);
    });
    dialog->open();
}

void MainWindow::describeJob() {
    const std::size_t run = currentRun();
    if (run < session_->runs().size() && !session_->runs()[run]->facts.ranks.empty()) {
        auto* dialog = new JobDialog(*session_, run, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    }
}

TimelineWidget& MainWindow::activeTimeline() {
    return comparing_->active() ? compare_view_->activeTimeline() : workspace_->timeline();
}

std::vector<TimelineWidget*> MainWindow::timelines() {
    return {&workspace_->timeline(), &compare_view_->timeline(Side::A), &compare_view_->timeline(Side::B)};
}

Search& MainWindow::search() {
    return comparing_->active() ? compare_view_->search() : workspace_->search();
}

void MainWindow::showHits() {
    if (comparing_->active()) {
        compare_view_->panel().showHits();
    } else {
        workspace_->showBelow(workspace_->hits());
    }
}

std::size_t MainWindow::currentRun() const {
    return comparing_->active() ? comparing_->currentRun() : workspace_->currentRun();
}

void MainWindow::stepFinding(int direction) {
    if (comparing_->active()) {
        compare_view_->panel().stepFinding(direction);
    } else {
        workspace_->stepFinding(direction);
    }
}

void MainWindow::setThemeChoice(ThemeChoice choice) {
    settings_.setValue(kThemeKey, themeChoiceName(choice));
    useTheme(choice);
}

void MainWindow::changeTextSize(int direction) {
    constexpr std::array<int, 9> kSizes = {80, 90, 100, 110, 125, 140, 160, 180, 200};
    const auto at = std::ranges::lower_bound(kSizes, text_size_);
    const auto last = std::prev(kSizes.end());
    int size = kUsualTextSize;
    if (direction > 0) {
        size = at == kSizes.end() || *at > text_size_ ? *std::min(at, last) : *std::min(std::next(at), last);
    } else if (direction < 0) {
        size = at == kSizes.begin() ? *at : *std::prev(at);
    }
    settings_.setValue(kTextSizeKey, size);
    for (MainWindow* window : shared_->windows) {
        window->text_size_ = size;
        window->applyTheme();
    }
}

void MainWindow::showStop(const report::GuideStop& stop) {
    const auto& runs = session_->runs();
    const auto run = static_cast<std::uint32_t>(std::ranges::find(runs, guide_->run()) - runs.begin());
    if (run >= runs.size()) {
        return;
    }
    workspace_->showPlace(run, stop.rank, stop.span, stop.slice);
}

void MainWindow::showTitle() {
    QStringList names;
    for (const auto& run : session_->runs()) {
        names.append(text(run->run->name));
    }
    for (const auto& snapshot : session_->runs().empty() ? session_->snapshots() : OpenSnapshots()) {
        names.append(snapshotName(*snapshot));
    }
    const QString program = number_ > 1 ? QStringLiteral("Rankscope (%1)").arg(number_) : QStringLiteral("Rankscope");
    setWindowTitle(names.isEmpty() ? program : names.join(QStringLiteral(" + ")) + QStringLiteral(" – ") + program);
}

void MainWindow::showRuns() {
    const OpenRuns& runs = session_->runs();
    const bool nothing = runs.empty() && session_->snapshots().empty();
    showTitle();
    if (nothing && !session_->loader().busy()) {
        step_map_->setTable({}, nullptr);
        strip_->dismiss();  // it is of what was open
    }
    workspace_->setRuns(runs, session_->choices());
    workspace_->setSnapshots(session_->snapshots());
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
    const bool nothing = session_->runs().empty() && session_->snapshots().empty();
    QWidget* page = comparing_->active()                   ? static_cast<QWidget*>(compare_view_)
                    : map_wanted_ && step_map_->hasTable() ? step_map_
                    : nothing                              ? static_cast<QWidget*>(welcome_)
                                                           : workspace_;
    const bool appears = page != welcome_ && pages_->currentWidget() != page;
    pages_->setCurrentWidget(page);
    if (appears && page == step_map_) {
        step_map_->view().setFocus();
    } else if (appears) {
        activeTimeline().setFocus();  // its keys work at once
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

// The map is in front until what is being read is analysed; then it comes back when it is asked for.
void MainWindow::wireStepMap() {
    connect(&session_->loader(), &RunLoader::stepsKnown, this,
            [this](const QString& name, const std::shared_ptr<const StepTable>& steps) {
                step_map_->setTable(name, steps);
                showStepMap(true);
            });
    connect(session_, &Session::opening, this, [this] { wanted_step_.reset(); });
    connect(session_, &Session::idle, this, [this] {
        showStepMap(false);
        const auto is_many = [](const auto& run) { return run->run->ranks.size() >= kManyRanks; };
        if (std::exchange(just_asked_, false) && std::ranges::any_of(session_->runs(), is_many)) {
            workspace_->showFromAfar();
        }
        // It is of digests that are still open, or goes.
        const bool of_open = std::ranges::any_of(session_->runs(), [&is_many](const auto& run) {
            const auto& files = run->run->ranks.front()->files;
            return is_many(run) && !files.empty() && !files.front().digest.empty();
        });
        if (!of_open) {
            step_map_->setTable({}, nullptr);
            choosePage();
        }
        if (const auto wanted = std::exchange(wanted_step_, std::nullopt)) {
            goToStep(wanted->first, wanted->second);
        }
    });
    connect(step_map_, &StepMapPage::timelineAsked, this, [this] { showStepMap(false); });
    connect(&step_map_->view(), &StepMapView::cellActivated, this, &MainWindow::goToStep);
}

void MainWindow::showStep(std::uint32_t run, RankPosition rank, RankStepPosition step) {
    showStepMap(false);
    workspace_->showStep(run, rank, step);
}

void MainWindow::goToStep(RankNumber rank, std::int64_t step) {
    std::optional<std::pair<std::shared_ptr<const AnalysedRun>, RankPosition>> unread;
    for (std::uint32_t r = 0; r < session_->runs().size(); ++r) {
        const AnalysedRun& run = *session_->runs()[r];
        const auto at = std::ranges::find_if(run.run->ranks, [rank](const auto& each) { return each->rank == rank; });
        const auto of_run = std::ranges::find(run.facts.steps, step, &RunStep::index);
        if (at == run.run->ranks.end()) {
            continue;
        }
        const RankPosition position(static_cast<std::size_t>(at - run.run->ranks.begin()));
        if (of_run == run.facts.steps.end()) {
            unread = {session_->runs()[r], position};
            continue;
        }
        if (const auto own = of_run->of(position)) {
            showStep(r, position, *own);
            return;
        }
    }
    if (session_->loader().busy()) {
        wanted_step_ = {rank, step};
        strip_->showStage(tr("Going to step %1 of rank %2 as soon as it is read").arg(step).arg(rank.value));
    } else if (unread) {
        opener_->open(unread->first, unread->second, step);  // not among the steps that fit into memory
    }
}

void MainWindow::keepKeyboard() {
    if (focusWidget() == nullptr && (pages_->currentWidget() == workspace_ || comparing_->active())) {
        activeTimeline().setFocus();
    }
}

void MainWindow::askForFiles() {
    open(askForTraceFiles(this, settings_, tr("Open trace files")));
}

void MainWindow::askForFolder() {
    if (const QString folder = askForTraceFolder(this, settings_, tr("Open a folder of traces")); !folder.isEmpty()) {
        open({folder});
    }
}

void MainWindow::askForPath() {
    bool accepted = false;
    const QString path = QInputDialog::getText(this, tr("Open a path"),
                                               tr("A file or folder of this machine, or ssh://host/path of another:"),
                                               QLineEdit::Normal, {}, &accepted)
                             .trimmed();
    if (accepted && !path.isEmpty()) {
        open({path});
    }
}

void MainWindow::openStepFromTrace() {
    opener_->open(workspace_->timeline());
}

bool MainWindow::event(QEvent* event) {
    // The window has a palette of its own, so a change of the application's is the desktop's.
    if (event->type() == QEvent::ApplicationPaletteChange && themeOf(choice_).dark != theme_.dark) {
        applyTheme();
    }
    if (event->type() == QEvent::WindowActivate) {
        keepKeyboard();  // else it goes to what happens to come first
    }
    return QMainWindow::event(event);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    settings_.setValue(kGeometryKey, saveGeometry());
    workspace_->saveLayout(settings_);
    settings_.sync();  // makes the folder, at the first start
    if (shared_->windows.size() > 1) {
        leave();
    } else {
        sessions_->saveLast();
        session_->loader().giveUp();
        session_->reanalysis().cancel();
    }
    QMainWindow::closeEvent(event);
}

}  // namespace rankscope::ui
