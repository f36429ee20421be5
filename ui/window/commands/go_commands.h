// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMenuBar;

namespace rankscope::ui {

class ActiveView;
class CommandRegistry;
class Session;

/// Adds the commands that go to another finding, gap, slice, link, row or place. `session` says why there is no
/// finding.
void addGoCommands(CommandRegistry& commands, const ActiveView& view, const Session& session);
/// Adds those that search, and go to another hit.
void addSearchCommands(CommandRegistry& commands, const ActiveView& view, const Session& session);
/// Adds their menu, with marks and areas.
void addGoMenu(const CommandRegistry& commands, QMenuBar& bar);
/// Adds the keys and the gestures of the mouse that the timeline handles itself, for the help.
void addTimelineHints(CommandRegistry& commands);

}  // namespace rankscope::ui
