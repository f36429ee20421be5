// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankscope::ui {

class MainWindow;

/// Registers all commands of the window and builds its menus from them.
void addWindowCommands(MainWindow& window);

}  // namespace rankscope::ui
