// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QIcon>
#include <QSettings>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>

#include "ui/commands/command_registry.h"
#include "ui/commands/key_choices.h"
#include "ui/compare/compare_panel.h"
#include "ui/compare/compare_view.h"
#include "ui/panels/clocks_panel.h"
#include "ui/panels/health_panel.h"
#include "ui/panels/hits_panel.h"
#include "ui/panels/search.h"
#include "ui/panels/words.h"
#include "ui/theme/core_text.h"
#include "ui/timeline/index_store.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/command_windows.h"
#include "ui/window/compare_commands.h"
#include "ui/window/compare_dialog.h"
#include "ui/window/compare_offer.h"
#include "ui/window/comparing.h"
#include "ui/window/drop_target.h"
#include "ui/window/guide_strip.h"
#include "ui/window/loading_strip.h"
#include "ui/window/locate_offer.h"
#include "ui/window/name_rule_strip.h"
#include "ui/window/report_export.h"
#include "ui/window/samples.h"
#include "ui/window/session_keeper.h"
#include "ui/window/timeline_commands.h"
#include "ui/window/welcome_page.h"
#include "ui/window/window_commands.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

const QString kThemeKey = QStringLiteral("theme");
const QString kTextSizeKey = QStringLiteral("text_size");
const QString kGeometryKey = QStringLiteral("layout/window");
const QString kFolderKey = QStringLiteral("last_folder");

/// The session that comes back lies beside the settings.
QString lastSession(const QSettings& settings) {
    return QFileInfo(settings.fileName()).absolutePath() + QStringLiteral("/last-session.json");
}

/// What is chosen in the panel is done by the session, and how that goes is told in the panel.
void connectClocks(Session& session, ClocksPanel& panel) {
    QObject::connect(&panel, &ClocksPanel::chosen, &session, [&](std::uint32_t run, const ClockChoice& choice) {
        panel.showProgress(MainWindow::tr("Analysing again on the new clock..."));
        session.setClock(run, choice);
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

}  // namespace

MainWindow::MainWindow(QSettings& settings, QWidget* parent)
    : QMainWindow(parent),
      settings_(settings),
      recent_(settings),
      choice_(themeChoiceOf(settings.value(kThemeKey).toString())),
      text_size_(settings.value(kTextSizeKey, kUsualTextSize).toInt()),
      theme_(themeOf(choice_)),
      session_(new Session(this)),
      commands_(new CommandRegistry(this)),
      command_windows_(new CommandWindows(*commands_, settings, this)),
      indices_(std::make_shared<IndexStore>()),
      pages_(new QStackedWidget),
      welcome_(new WelcomePage),
      workspace_(new Workspace(theme_, indices_)),
      compare_view_(new CompareView(theme_, indices_)),
      comparing_(new Comparing(*session_, *compare_view_, this)),
      offer_(new CompareOffer),
      guide_(new GuideStrip),
      locate_(new LocateOffer),
      rules_(new NameRuleStrip(*session_)),
      strip_(new LoadingStrip(session_->loader(), theme_)),
      drop_(new DropTarget(this, theme_)),
      sessions_(new SessionKeeper(*session_, *workspace_, *comparing_, lastSession(settings), this)),
      reports_(new ReportExport(*session_, *comparing_, this)) {
    layOut();
    addWindowCommands(*this);
    keepKeyChoices(*commands_, settings_);
    wire();
    welcome_->setRecent(recent_.entries());
    welcome_->setSamples(sampleRuns());

    setWindowIcon(QIcon(QStringLiteral(":/icons/rankscope.svg")));
    resize(1280, 800);
    restoreGeometry(settings_.value(kGeometryKey).toByteArray());
    workspace_->restoreLayout(settings_);
    applyTheme();
    showRuns();
}

void MainWindow::layOut() {
    for (QWidget* page : std::initializer_list<QWidget*>{welcome_, workspace_, compare_view_}) {
        pages_->addWidget(page);
    }
    auto* central = new QWidget;
    auto* layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(strip_);
    layout->addWidget(rules_);
    layout->addWidget(locate_);
    layout->addWidget(offer_);
    layout->addWidget(guide_);
    layout->addWidget(pages_, 1);
    setCentralWidget(central);
}

void MainWindow::wire() {
    connect(session_, &Session::runsChanged, this, &MainWindow::showRuns);
    connect(session_, &Session::opening, this,
            [this](const QStringList& paths) { strip_->begin(RecentPaths::title(paths)); });
    connect(session_, &Session::opened, this, &MainWindow::remember);
    connect(session_, &Session::idle, this, [this] { asked_.clear(); });
    connectClocks(*session_, workspace_->clocks());
    connect(sessions_, &SessionKeeper::filesMissing, locate_, &LocateOffer::setMissing);
    connect(locate_, &LocateOffer::located, sessions_, &SessionKeeper::locate);
    connect(sessions_, &SessionKeeper::shown, this, [this] { checkTimelineCommands(*this); });
    connect(sessions_, &SessionKeeper::failed, strip_, &LoadingStrip::showFailure);
    connect(reports_, &ReportExport::failed, strip_, &LoadingStrip::showFailure);
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
    connect(guide_, &GuideStrip::stopReached, this, &MainWindow::showStop);
    connect(offer_, &CompareOffer::accepted, this, &MainWindow::compareOpenRuns);
    connect(drop_, &DropTarget::dropped, this, &MainWindow::drop);
    connect(welcome_, &WelcomePage::openRequested, this, [this](const QStringList& paths) { open(paths); });
    connect(welcome_, &WelcomePage::openFilesRequested, this, &MainWindow::askForFiles);
    connect(welcome_, &WelcomePage::openFolderRequested, this, &MainWindow::askForFolder);
}

MainWindow::~MainWindow() = default;

void MainWindow::open(const QStringList& paths, OpenMode mode) {
    if (paths.isEmpty()) {
        return;
    }
    if (paths.size() == 1 && SessionKeeper::isSession(paths.front())) {
        sessions_->open(paths.front());
        return;
    }
    asked_.append(paths);
    session_->open(paths, mode);
}

// What could not be read is not offered again, and neither is what a session brings back.
void MainWindow::remember(const QStringList& paths) {
    if (asked_.removeAll(paths) > 0) {
        recent_.add(paths);
        welcome_->setRecent(recent_.entries());
        Q_EMIT recentChanged();
    }
}

// A second run that is dropped with Alt is compared with the first.
void MainWindow::drop(const QStringList& paths, OpenMode mode) {
    if (mode == OpenMode::Beside && session_->runs().size() == 1) {
        comparing_->start(session_->runs().front()->run, paths);
    } else {
        open(paths, mode);
    }
}

void MainWindow::compare(const QStringList& a, const QStringList& b) {
    comparing_->start(a, b);
}

void MainWindow::compareOpenRuns() {
    if (session_->runs().size() == 2) {
        comparing_->startOpen(0, 1);
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
    auto* dialog = new CompareDialog(session_->runs(), recent_.entries(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        const auto [a, b] = dialog->chosen();
        comparing_->start(a, b);
    });
    dialog->open();
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
    choice_ = choice;
    settings_.setValue(kThemeKey, themeChoiceName(choice));
    applyTheme();
}

void MainWindow::changeTextSize(int direction) {
    constexpr std::array<int, 9> kSizes = {80, 90, 100, 110, 125, 140, 160, 180, 200};
    const auto at = std::ranges::lower_bound(kSizes, text_size_);
    const auto last = std::prev(kSizes.end());
    if (direction == 0) {
        text_size_ = kUsualTextSize;
    } else if (direction > 0) {
        text_size_ = at == kSizes.end() || *at > text_size_ ? *std::min(at, last) : *std::min(std::next(at), last);
    } else {
        text_size_ = at == kSizes.begin() ? *at : *std::prev(at);
    }
    settings_.setValue(kTextSizeKey, text_size_);
    applyTheme();
}

void MainWindow::applyTheme() {
    theme_ = themeOf(choice_).withTextSize(text_size_ / 100.0);
    if (QApplication::font() != theme_.ui_font) {
        QApplication::setFont(theme_.ui_font);  // menus and tips have no window above them
    }
    setPalette(theme_.palette());
    setStyleSheet(theme_.styleSheet());
    workspace_->setTheme(theme_);
    compare_view_->setTheme(theme_);
    strip_->setTheme(theme_);
    drop_->setTheme(theme_);
}

void MainWindow::showStop(const report::GuideStop& stop) {
    const auto& runs = session_->runs();
    const auto run = static_cast<std::uint32_t>(std::ranges::find(runs, guide_->run()) - runs.begin());
    if (run >= runs.size()) {
        return;
    }
    workspace_->showPlace(run, stop.rank, stop.span, stop.slice);
}

void MainWindow::showRuns() {
    const OpenRuns& runs = session_->runs();
    QStringList names;
    for (const auto& run : runs) {
        names.append(text(run->run->name));
    }
    const QString program = QStringLiteral("Rankscope");
    setWindowTitle(names.isEmpty() ? program : names.join(QStringLiteral(" + ")) + QStringLiteral(" – ") + program);
    workspace_->setRuns(runs, session_->clocks());
    drop_->setOpenRuns(runs.size());
    offer_->setRuns(runs, comparing_->active());
    guide_->keepTo(comparing_->active() ? OpenRuns() : runs);
    QWidget* page = comparing_->active() ? static_cast<QWidget*>(compare_view_) : workspace_;
    page = runs.empty() ? welcome_ : page;
    const bool appears = page != welcome_ && pages_->currentWidget() != page;
    pages_->setCurrentWidget(page);
    if (appears) {
        activeTimeline().setFocus();  // its keys work at once
    }
    commands_->action(QStringLiteral("file.close"))->setEnabled(!runs.empty());
    commands_->action(QStringLiteral("file.reopen"))->setEnabled(session_->canReopen());
    commands_->action(QStringLiteral("file.close-all"))->setEnabled(runs.size() > 1);
    checkCompareCommands(*this);
}

void MainWindow::askForFiles() {
    const QStringList files =
        QFileDialog::getOpenFileNames(this, tr("Open trace files"), settings_.value(kFolderKey).toString(),
                                      tr("Traces (*.json *.json.gz *.json.zst *.gz *.zst *.zip);;All files (*)"));
    if (!files.isEmpty()) {
        settings_.setValue(kFolderKey, QFileInfo(files.first()).absolutePath());
        open(files);
    }
}

void MainWindow::askForFolder() {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Open a folder of traces"), settings_.value(kFolderKey).toString());
    if (!folder.isEmpty()) {
        settings_.setValue(kFolderKey, folder);
        open({folder});
    }
}

bool MainWindow::event(QEvent* event) {
    // The window has a palette of its own, so a change of the application's is the desktop's.
    if (event->type() == QEvent::ApplicationPaletteChange && choice_ == ThemeChoice::FollowDesktop) {
        applyTheme();
    }
    return QMainWindow::event(event);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    settings_.setValue(kGeometryKey, saveGeometry());
    workspace_->saveLayout(settings_);
    settings_.sync();  // makes the folder, at the first start
    sessions_->saveLast();
    session_->loader().giveUp();
    session_->reanalysis().cancel();
    QMainWindow::closeEvent(event);
}

}  // namespace rankscope::ui
