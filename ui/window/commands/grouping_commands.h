// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMenu;

namespace rankscope::ui {

class MainWindow;

/// The commands that put the ranks under headings by a dimension of the grid of their job, and the command that sets
/// the role of a process group.
void addGroupingCommands(MainWindow& window);
/// Enables those whose dimension an open run has, gives the reason for the others, and ticks the current one.
void checkGroupingCommands(MainWindow& window);
/// Adds them to the menu of the rows, as a submenu.
void addGroupingMenu(MainWindow& window, QMenu* rows);

}  // namespace rankscope::ui
