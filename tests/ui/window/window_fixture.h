// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <QAction>
#include <QSet>
#include <QSettings>
#include <QStringList>
#include <QTest>
#include <memory>
#include <optional>

#include "tests/support/places.h"
#include "tests/support/temp_files.h"
#include "ui/commands/command_registry.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/main_window.h"
#include "ui/window/workspace.h"

namespace rankscope::test {

/// The widgets that Tab leads to, from the one with the keyboard on until it comes back or to one that it was on
/// before; `most` keys at most. The keyboard stays where it came to.
[[nodiscard]] QSet<QWidget*> tabStops(int most);

inline constexpr int kPatience = 60'000;  ///< in ms, with what a window does in the background

/// Waits until no panel works and no run is analysed again, and the timeline is drawn; fails the test where that takes
/// too long.
void waitUntilQuiet(ui::MainWindow& window);

/// A real window with settings of its own, and a folder for traces. The parts of a window that most tests look at come
/// with this header.
class WindowTest : public testing::Test {
  protected:
    WindowTest();

    [[nodiscard]] ui::MainWindow& window() { return *window_; }
    [[nodiscard]] ui::Workspace& workspace() { return window_->workspace(); }
    [[nodiscard]] ui::TimelineWidget& timeline() { return workspace().timeline(); }
    [[nodiscard]] QSettings& settings() { return *settings_; }
    [[nodiscard]] const TempFolder& folder() const { return folder_; }
    [[nodiscard]] QString inFolder(const std::filesystem::path& name) const {
        return QString::fromStdString((folder_.path() / name).string());
    }
    [[nodiscard]] QAction* action(const char* id) { return window_->commands().action(QLatin1String(id)); }
    void trigger(const char* id) { action(id)->trigger(); }
    void enlargeText();  ///< to the largest there is
    [[nodiscard]] static QString sample(const char* name) {
        return QString::fromStdString(test::sample(name).string());
    }
    [[nodiscard]] static QString zero() { return sample("ZeroWorkers"); }
    [[nodiscard]] static QString four() { return sample("FourWorkers"); }

    /// Writes the trace of one rank with `events` kernels; returns its path.
    [[nodiscard]] QString writeRank(int rank, int events = 20) const;
    /// Sends the events of dragging `paths` over the window and dropping them, at its middle if not elsewhere.
    void drop(const QStringList& paths, Qt::KeyboardModifiers modifiers = {}, std::optional<QPoint> at = {});
    /// Waits until nothing is loaded or analysed any more; false where that takes too long.
    [[nodiscard]] bool waitUntilIdle();
    [[nodiscard]] bool dropAndWait(const QStringList& paths, Qt::KeyboardModifiers modifiers = {});
    [[nodiscard]] bool openAndWait(const QStringList& paths, ui::OpenMode mode = ui::OpenMode::Replace);
    /// What the notice that goes by itself says; empty where none is shown.
    [[nodiscard]] QString notice();
    /// The files that could not be opened and why, one a line.
    [[nodiscard]] QString problems();
    /// What the strip below the menus says of files that are opened.
    [[nodiscard]] QString stripWords();
    void waitUntilQuiet() { test::waitUntilQuiet(window()); }
    /// Saves the session as "mine.rankscope" in the folder, closes all, and returns where it is.
    QString saveAndClose();
    void saveAndReopen();
    /// How many ranks the open run `run` has; -1 where there is no such run.
    [[nodiscard]] int ranksOf(std::size_t run = 0);

    static constexpr int kPatience = test::kPatience;

  private:
    TempFolder folder_;
    std::unique_ptr<QSettings> settings_;
    std::unique_ptr<ui::MainWindow> window_;
};

}  // namespace rankscope::test
