// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMenu;

namespace rankscope::ui {

class MainWindow;

/// Registers what is chosen of the timeline: the overview, the overlays, the rows, ranks to jump to, areas and marks.
void addTimelineCommands(MainWindow& window);
/// Checks in the menus what is shown now.
void checkTimelineCommands(MainWindow& window);
/// Adds the overlays and the rows to the menu of what is seen.
void addTimelineMenus(MainWindow& window, QMenu* view);

}  // namespace rankscope::ui
