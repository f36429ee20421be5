// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankscope::ui {

class MainWindow;

/// Adds the commands of the Help menu, and the menu: keys, the pages of the documentation, the legend, and what slows
/// training down.
void addHelpCommands(MainWindow& window);

}  // namespace rankscope::ui
