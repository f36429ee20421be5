// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMenu;

namespace rankscope::ui {

class ActiveView;
class Appearance;
class CommandRegistry;
class Workspace;

// The commands of what is seen: those of the panels are in panel_commands.cpp, those of the theme and the size of text
// in appearance_commands.cpp.

/// Adds the commands that show the side, the lower dock and each panel in them, where it is wanted with one of its
/// pages, and those that save what panels and timelines draw as pictures.
void addPanelCommands(CommandRegistry& commands, Workspace& workspace, const ActiveView& view);
/// Adds them to the menu of what is seen.
void addPanelMenus(const CommandRegistry& commands, QMenu& menu);

/// Adds the commands of the size of text and of the theme, the one in use ticked.
void addAppearanceCommands(CommandRegistry& commands, Appearance& appearance);
/// Adds them to the menu of what is seen, as menus of their own.
void addAppearanceMenus(const CommandRegistry& commands, QMenu& menu);

}  // namespace rankscope::ui
