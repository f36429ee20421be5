// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMenu;

namespace rankscope::ui {

class MainWindow;

/// The commands that put the ranks under headings by a dimension of the grid of their job, and that by which the user
/// says what a process group is for.
void addGroupingCommands(MainWindow& window);
/// Enables those for which an open run has a dimension, says of the others why they cannot be used, and ticks the one
/// that is chosen.
void checkGroupingCommands(MainWindow& window);
/// Adds them to the menu of the rows, as a menu of their own.
void addGroupingMenu(MainWindow& window, QMenu* rows);

}  // namespace rankscope::ui
