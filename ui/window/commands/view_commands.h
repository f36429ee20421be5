// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMenu;

namespace rankscope::ui {

class ActiveView;
class Appearance;
class CommandRegistry;
class Workspace;

// The commands of the View menu: those of the panels are in panel_commands.cpp, those of the theme and the text size in
// appearance_commands.cpp.

/// Adds the commands that show the side, the lower dock and each panel (with one of its pages if wanted), and those
/// that save panels and timelines as pictures.
void addPanelCommands(CommandRegistry& commands, Workspace& workspace, const ActiveView& view);
/// Adds them to the View menu.
void addPanelMenus(const CommandRegistry& commands, QMenu& menu);

/// Adds the commands of the text size and of the theme, with the current one ticked.
void addAppearanceCommands(CommandRegistry& commands, Appearance& appearance);
/// Adds them to the View menu, as submenus.
void addAppearanceMenus(const CommandRegistry& commands, QMenu& menu);

}  // namespace rankscope::ui
