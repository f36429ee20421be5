// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMenu;

namespace rankscope::ui {

class CommandRegistry;
class MainWindow;

/// Registers all commands of the window and builds its menus from them.
void addWindowCommands(MainWindow& window);
/// Adds the commands for a selected slice to the menu of a slice.
void fillSliceMenu(const CommandRegistry& commands, QMenu& menu);

/// Adds the commands of the Help menu, and the menu: keys, the pages of the documentation, the legend, and what slows
/// training down.
void addHelpCommands(MainWindow& window);

/// Registers the commands that move panels, and the one that opens another window.
void addLayoutCommands(MainWindow& window);
/// Adds the menu of the panels' places to the view menu.
void addLayoutMenu(MainWindow& window, QMenu* view);

}  // namespace rankscope::ui
