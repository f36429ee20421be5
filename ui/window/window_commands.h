// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMenu;

namespace rankscope::ui {

class CommandRegistry;
class MainWindow;

/// Registers all commands of the window and builds its menus from them.
void addWindowCommands(MainWindow& window);
/// Enables the commands about what is open that have something to do.
void checkFileCommands(MainWindow& window);
/// Adds to the menu of a slice what can be done with it as the selection.
void fillSliceMenu(const CommandRegistry& commands, QMenu& menu);

}  // namespace rankscope::ui
