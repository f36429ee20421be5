// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMenu;

namespace rankscope::ui {

class MainWindow;

/// Registers what is chosen of the timeline: the overview, the overlays, ranks to jump to, and marks.
void addTimelineCommands(MainWindow& window);
/// Checks in the menus what the timeline shows now.
void checkTimelineCommands(MainWindow& window);
/// Adds the overlays to the menu of what is seen.
void addOverlayMenu(MainWindow& window, QMenu* view);

}  // namespace rankscope::ui
