// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands/window_commands.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>

#include "ui/commands/command_registry.h"
#include "ui/panels/compute/efficiency_panel.h"
#include "ui/widgets/search_bar.h"
#include "ui/window/commands/command_windows.h"
#include "ui/window/commands/command_words.h"
#include "ui/window/commands/compare_commands.h"
#include "ui/window/commands/file_commands.h"
#include "ui/window/commands/go_commands.h"
#include "ui/window/commands/held_keys.h"
#include "ui/window/commands/iteration_command.h"
#include "ui/window/commands/left_keys.h"
#include "ui/window/commands/timeline_commands.h"
#include "ui/window/commands/view_commands.h"
#include "ui/window/comparison/comparing.h"
#include "ui/window/main_window.h"
#include "ui/window/opening/loading_strip.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

using command_words::id;
using command_words::tr;

void addEditMenu(MainWindow& window) {
    window.commands().fill(window.menuBar()->addMenu(tr("&Edit")), {id("edit.undo"),
                                                                    id("edit.redo"),
                                                                    {},
                                                                    id("copy.name"),
                                                                    id("copy.selection"),
                                                                    id("copy.times"),
                                                                    id("copy.place"),
                                                                    {},
                                                                    id("finding.copy"),
                                                                    id("finding.copy-markdown"),
                                                                    {},
                                                                    id("job.describe")});
}

void addViewMenu(MainWindow& window) {
    QMenu* menu = window.menuBar()->addMenu(tr("&View"));
    addPanelMenus(window.commands(), *menu);
    addLayoutMenu(window, menu);
    addTimelineMenus(window, menu);
    addAppearanceMenus(window.commands(), *menu);
    window.commands().fill(menu, {{}, id("go.fit"), id("go.fit-all")});
}

}  // namespace

void fillSliceMenu(const CommandRegistry& commands, QMenu& menu) {
    commands.fill(&menu, {id("go.fit"),
                          id("go.follow"),
                          id("go.follow-back"),
                          {},
                          id("copy.name"),
                          id("copy.selection"),
                          id("search.selection"),
                          id("calls.of-selection"),
                          {},
                          id("mark.keep"),
                          id("area.of-selection"),
                          {}});
}

void addWindowCommands(MainWindow& window) {
    // The order in the help and in the list of all commands: the most common ones first.
    CommandRegistry& commands = window.commands();
    const ActiveView view = window.active();
    addGoCommands(commands, view, window.session());
    addTimelineCommands(window);
    addSearchCommands(commands, view, window.session());
    addPanelCommands(commands, window.workspace(), view);
    addAppearanceCommands(commands, window.appearance());
    addIterationCommand(window);
    addLayoutCommands(window);
    addCompareCommands(window);
    addFileCommands(window);
    addFileMenu(window);
    addEditMenu(window);
    addViewMenu(window);
    addGoMenu(commands, *window.menuBar());
    addCompareMenu(window);
    addHelpCommands(window);
    addTimelineHints(commands);
    const auto ask = [&window](const QString& sql) {
        if (window.comparing().active()) {
            window.comparing().leave();  // the page is in the workspace, which then shows both runs
        }
        window.workspace().ask(sql);
    };
    QObject::connect(&window.commandWindows(), &CommandWindows::questionAsked, &window, ask);
    for (const SearchBar* bar : window.findChildren<SearchBar*>()) {
        QObject::connect(bar, &SearchBar::commandsAsked, &window.commandWindows(), &CommandWindows::showPalette);
        QObject::connect(bar, &SearchBar::questionAsked, &window, ask);
        QObject::connect(bar, &SearchBar::listAsked, commands.action(id("search.hits")), &QAction::trigger);
    }
    // The message of the previous command is removed when a new one begins.
    QObject::connect(&commands, &CommandRegistry::begun, &window.loadingStrip(), &LoadingStrip::endPassing);
    new LeftKeys(window);  // owned by the window
    new HeldKeys(window);  // owned by the window too
    window.workspace().efficiency().setJobAction(commands.action(id("job.describe")));
}

}  // namespace rankscope::ui
