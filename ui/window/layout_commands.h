// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMenu;

namespace rankscope::ui {

class MainWindow;

/// Registers what moves panels about, and what opens a further window.
void addLayoutCommands(MainWindow& window);
/// Adds the menu of the panels' places to the view menu.
void addLayoutMenu(MainWindow& window, QMenu* view);

}  // namespace rankscope::ui
