// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankscope::ui {

class MainWindow;

/// The commands about comparing, and their menu. Commands that only make sense while two runs are compared, or while
/// none are, are enabled only then.
void addCompareCommands(MainWindow& window);
/// Adds the menu of the commands about comparing to the menu bar.
void addCompareMenu(MainWindow& window);
/// Enables and checks the commands to match the open runs and the view.
void checkCompareCommands(MainWindow& window);

}  // namespace rankscope::ui
