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

enum class Side : std::uint8_t;  // ui/compare/compared_runs.h
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

/// A window: glue between the session, the workspace, the welcome page, the commands and the settings. Several show the
/// same runs, each with a timeline, a selection and a layout of its own.
class MainWindow : public QMainWindow {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(MainWindow)

  public:
    /// A window with runs of its own. `settings` keep the theme, the layout, the keys and what was opened lately; they
    /// must outlive the window.
    explicit MainWindow(QSettings& settings, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens a further window of the runs that are open here, which begins with what is in sight here. It is shown, and
    /// deletes itself when it is closed.
    MainWindow& openAnother();
    /// Closes all windows of the open runs, this one last: what it shows comes back at the next start.
    void quit();

    /// Opens paths together, and remembers them.
    void open(const QStringList& paths, OpenMode mode = OpenMode::Replace);
    /// The colours and fonts that the window has now.
    [[nodiscard]] const Theme& theme() const;
    /// The theme and the size of text of all windows of the open runs.
    [[nodiscard]] Appearance& appearance();
    /// What the user asks to be opened, and what was opened lately.
    [[nodiscard]] OpenRequests& requests() { return *requests_; }

    /// Shows the map of all steps of all ranks in place of the timeline, or the timeline again.
    void showStepMap(bool shown);
    [[nodiscard]] StepMapPage& stepMap() { return *step_map_; }
    /// Opens, beside what is open, the step in view of the rank that is selected from its trace, where a digest is
    /// for that. Says where the trace is if it cannot be reached.
    void openStepFromTrace();
    /// Lets the user choose in a dialog which two runs are compared.
    void askForComparison();
    /// Lets the user choose in a dialog a folder with a recording, or several, to add to a side of the comparison.
    void askForRecording(Side side);
    /// Asks in a dialog what the files do not say of the job of the run that the user is at; does nothing where none
    /// has been analysed.
    void describeJob();
    /// Compares the two that are open; asks which, where there are more.
    void compareOpenRuns();
    /// Goes to a place of what is being opened as soon as that is there.
    void showWhenOpened(const PlaceLink& place);
    /// Opens the recordings of two sides, one from each path, and compares them.
    void compare(const QStringList& a, const QStringList& b);

    /// What commands are about.
    [[nodiscard]] ActiveView active();
    /// Which runs are open.
    [[nodiscard]] Session& session() { return *session_; }
    /// The page of the open runs: their timeline with its panels.
    [[nodiscard]] Workspace& workspace() { return *workspace_; }
    /// What walks the user through a run, above the timeline.
    [[nodiscard]] GuideStrip& guide() { return *guide_; }
    /// The page on which two runs are compared side by side.
    [[nodiscard]] CompareView& compareView() { return *compare_view_; }
    /// Which two of the open runs are compared, and how far that has come.
    [[nodiscard]] Comparing& comparing() { return *comparing_; }
    /// The progress of the files that are being read, and the ones that could not be.
    [[nodiscard]] LoadingStrip& loadingStrip() { return *strip_; }
    /// What the user says kernels are, and how the analysis by that goes.
    [[nodiscard]] NameRuleStrip& nameRules() { return *rules_; }
    /// All commands of the window, with their shortcuts.
    [[nodiscard]] CommandRegistry& commands() { return *commands_; }
    /// What saves and restores sessions.
    [[nodiscard]] SessionKeeper& sessions() { return *sessions_; }
    /// What saves reports of what is open.
    [[nodiscard]] ReportExport& reports() { return *reports_; }
    /// The palette of commands, the overview of keys, and the dialog that changes these.
    [[nodiscard]] CommandWindows& commandWindows() { return *command_windows_; }
  Q_SIGNALS:
    /// Another entry is among what was opened lately.
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
    /// Leaves the open runs to the windows that stay, with the marks that are to be kept.
    void leave();
    /// A panel has got a window of its own: what can be done here can be done there.
    void adopt(QWidget* panel_window);
    void applyTheme();
    /// Shows what was opened lately.
    void showRecent();
    void showRuns();
    /// Opens a forecast of an open run, and compares the two.
    void showForecast(const std::shared_ptr<const Run>& measured, const std::shared_ptr<const Run>& forecast);
    /// The timeline gets the keyboard where nothing has it: what had it may have gone with a run.
    void keepKeyboard();
    /// Which of the pages is in front.
    void choosePage();
    void wireStepMap();
    /// Shows a step of a rank of an open run on the timeline.
    void showStep(std::uint32_t run, RankPosition rank, RankStepPosition step);
    /// The open runs, else the open snapshots, in the title.
    void showTitle();
    /// Shows where a stop of the guide is.
    void showStop(const report::GuideStop& stop);

    QSettings& settings_;
    std::shared_ptr<WindowGroup> group_;
    Session* session_;  // of group_
    OpenRequests* requests_;
    CommandRegistry* commands_;
    CommandWindows* command_windows_;
    int number_ = 1;  // among the windows of the open runs
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
