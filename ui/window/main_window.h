// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "ui/window/active_view.h"
#include "ui/window/session/place_link.h"
#include "ui/window/session/session.h"

class QSettings;
class QStackedWidget;

namespace rankscope::report {
struct GuideStop;
}  // namespace rankscope::report

namespace rankscope::ui {

class Appearance;
class CommandRegistry;
class CommandWindows;
class CompareOffer;
class CompareView;
class GuideStrip;
class Comparing;
class DropTarget;
class LoadingStrip;
class LocateOffer;
class RunQuestion;
class NameRuleStrip;
class OpenRequests;
class ReportExport;
class SessionKeeper;
class StepMapPage;
class StepOpener;
class TraceFinder;
class TimelineWidget;
class WelcomePage;
class WindowGroup;
class Workspace;
struct Theme;

/// A window: connects the session, the workspace, the welcome page, the commands and the settings. Several windows show
/// the same runs, each with its own timeline, selection and layout.
class MainWindow : public QMainWindow {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(MainWindow)

  public:
    /// A window with its own runs. `settings` store the theme, the layout, the keys and the recent entries; they must
    /// outlive the window.
    explicit MainWindow(QSettings& settings, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens another window of the same runs, which begins with the current view. It is shown, and deletes itself when
    /// it is closed.
    MainWindow& openAnother();
    /// Closes all windows of the open runs, this one last: its content is restored at the next start.
    void quit();

    /// Opens paths together, and adds them to the recent entries.
    void open(const QStringList& paths, OpenMode mode = OpenMode::Replace);
    /// The current colours and fonts of the window.
    [[nodiscard]] const Theme& theme() const;
    /// The theme and the text size of all windows of the open runs.
    [[nodiscard]] Appearance& appearance();
    /// The user's requests to open something, and the recent entries.
    [[nodiscard]] OpenRequests& requests() { return *requests_; }

    /// Shows the map of all steps of all ranks instead of the timeline, or the timeline again.
    void showStepMap(bool shown);
    [[nodiscard]] StepMapPage& stepMap() { return *step_map_; }
    /// Opens the step in view of the selected rank from its trace, next to the open run of digests. Says where the
    /// trace is if it cannot be reached.
    void openStepFromTrace();
    /// Lets the user choose in a dialog which two runs to compare.
    void askForComparison();
    /// Asks in a dialog about the job of the current run, for what its files do not contain; does nothing if no run has
    /// been analysed.
    void describeJob();
    /// Compares the two open runs; asks which, if there are more.
    void compareOpenRuns();
    /// Goes to a place in what is being opened, as soon as that is there.
    void showWhenOpened(const PlaceLink& place);
    /// Opens two runs, each from its own paths, and compares them.
    void compare(const QStringList& a, const QStringList& b);

    /// The view that commands apply to.
    [[nodiscard]] ActiveView active();
    /// The open runs.
    [[nodiscard]] Session& session() { return *session_; }
    /// The page of the open runs: their timeline with its panels.
    [[nodiscard]] Workspace& workspace() { return *workspace_; }
    /// The guided tour of a run, above the timeline.
    [[nodiscard]] GuideStrip& guide() { return *guide_; }
    /// The page on which two runs are compared side by side.
    [[nodiscard]] CompareView& compareView() { return *compare_view_; }
    /// The comparison of two of the open runs, and its progress.
    [[nodiscard]] Comparing& comparing() { return *comparing_; }
    /// The progress of the files being read, and the files that could not be read.
    [[nodiscard]] LoadingStrip& loadingStrip() { return *strip_; }
    /// The user's rules about kernels, and the progress of the analysis with them.
    [[nodiscard]] NameRuleStrip& nameRules() { return *rules_; }
    /// All commands of the window, with their shortcuts.
    [[nodiscard]] CommandRegistry& commands() { return *commands_; }
    /// What saves and restores sessions.
    [[nodiscard]] SessionKeeper& sessions() { return *sessions_; }
    /// Saves reports of the open runs.
    [[nodiscard]] ReportExport& reports() { return *reports_; }
    /// The palette of commands, the overview of keys, and the dialog that changes these.
    [[nodiscard]] CommandWindows& commandWindows() { return *command_windows_; }
  Q_SIGNALS:
    /// The recent entries have changed.
    void recentChanged();

  protected:
    bool event(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

  private:
    MainWindow(QSettings& settings, std::shared_ptr<WindowGroup> group, QWidget* parent);

    void layOut();
    void wire();
    /// Opens what is dropped on a window.
    void takeDrops(QWidget* window);
    /// Leaves the open runs to the remaining windows, with the kept marks.
    void leave();
    /// A panel has got its own window: the same can be done there as here.
    void adopt(QWidget* panel_window);
    void applyTheme();
    /// Shows the recent entries.
    void showRecent();
    void showRuns();
    /// Gives the keyboard to the timeline if nothing has it: the widget that had it may have gone with a run.
    void keepKeyboard();
    /// Chooses which page is in front.
    void choosePage();
    void wireStepMap();
    /// Shows a step of a rank of an open run on the timeline.
    void showStep(std::uint32_t run, RankPosition rank, RankStepPosition step);
    /// Shows the open runs, else the open snapshots, in the title.
    void showTitle();
    /// Shows the place of a stop of the guided tour.
    void showStop(const report::GuideStop& stop);

    QSettings& settings_;
    std::shared_ptr<WindowGroup> group_;
    Session* session_;  // the session of group_
    OpenRequests* requests_;
    CommandRegistry* commands_;
    CommandWindows* command_windows_;
    int number_ = 1;  // its number among the windows of the open runs
    QStackedWidget* pages_;
    WelcomePage* welcome_;
    Workspace* workspace_;
    CompareView* compare_view_;
    StepMapPage* step_map_;
    bool map_wanted_ = false;  // the map of steps is in front of the timeline
    Comparing* comparing_;
    CompareOffer* offer_;
    GuideStrip* guide_;
    LocateOffer* locate_;
    TraceFinder* finder_;
    LocateOffer* traces_;
    StepOpener* opener_;
    RunQuestion* question_;
    NameRuleStrip* rules_;
    LoadingStrip* strip_;
    SessionKeeper* sessions_;
    ReportExport* reports_;
};

}  // namespace rankscope::ui
