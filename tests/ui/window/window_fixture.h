// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <QSet>
#include <QSettings>
#include <QStringList>
#include <memory>
#include <string>

#include "tests/support/temp_files.h"
#include "ui/window/main_window.h"

namespace rankscope::test {

/// The widgets that Tab leads to, from the one with the keyboard on until it comes back or to one that it was on
/// before; `most` keys at most. The keyboard stays where it came to.
[[nodiscard]] QSet<QWidget*> tabStops(int most);

/// A real window with settings of its own, and a folder for traces.
class WindowTest : public testing::Test {
  protected:
    WindowTest();

    [[nodiscard]] ui::MainWindow& window() { return *window_; }
    [[nodiscard]] QSettings& settings() { return *settings_; }
    [[nodiscard]] const TempFolder& folder() const { return folder_; }

    /// Writes the trace of one rank with `events` kernels; returns its path.
    [[nodiscard]] QString writeRank(int rank, int events = 20) const;
    /// Sends the events of dragging `paths` over the window and dropping them.
    void drop(const QStringList& paths, Qt::KeyboardModifiers modifiers = {});
    /// Waits until nothing is loaded or analysed any more; false where that takes too long.
    [[nodiscard]] bool waitUntilIdle();
    /// How many ranks the open run `run` has; -1 where there is no such run.
    [[nodiscard]] int ranksOf(std::size_t run = 0);

    static constexpr int kPatience = 60'000;

  private:
    TempFolder folder_;
    std::unique_ptr<QSettings> settings_;
    std::unique_ptr<ui::MainWindow> window_;
};

}  // namespace rankscope::test
