// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMenu;

namespace rankscope::ui {

class MainWindow;

/// Registers the commands of the timeline: the overview, the overlays, the rows, ranks to jump to, areas and marks.
void addTimelineCommands(MainWindow& window);
/// Checks the entries in the menus that match the current state.
void checkTimelineCommands(MainWindow& window);
/// Adds the overlays and the rows to the View menu.
void addTimelineMenus(MainWindow& window, QMenu* view);

}  // namespace rankscope::ui
