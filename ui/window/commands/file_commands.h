// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankscope::ui {

class MainWindow;

/// Adds the commands that open, save and close, and the one that edits the job.
void addFileCommands(MainWindow& window);
/// Adds their menu to the menu bar, with the recent entries.
void addFileMenu(MainWindow& window);
/// Enables those that can do something.
void checkFileCommands(MainWindow& window);

}  // namespace rankscope::ui
