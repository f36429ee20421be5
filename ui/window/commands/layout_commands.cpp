// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands/window_commands.h"

#include <QAction>
#include <QMenu>

#include "ui/commands/command_registry.h"
#include "ui/window/commands/command_words.h"
#include "ui/window/main_window.h"
#include "ui/window/opening/loading_strip.h"
#include "ui/window/places/panel_places.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

using command_words::id;
using command_words::tr;

bool isThere(PanelPlace place, PanelPlace wanted) {
    const bool at_side = place == PanelPlace::SideTop || place == PanelPlace::SideBottom;
    return place == wanted || (at_side && wanted == PanelPlace::SideBottom);
}

/// The current panel; nullptr, with a message, if there is none.
QWidget* currentPanel(MainWindow& window) {
    QWidget* panel = window.workspace().places().current();
    if (panel == nullptr) {
        window.loadingStrip().showPassing(tr("No panel is in front to move."));
    }
    return panel;
}

/// Moves the current panel elsewhere. It keeps or gets the keyboard, so the next command applies to it too.
void moveCurrent(MainWindow& window, PanelPlace to) {
    PanelPlaces& places = window.workspace().places();
    QWidget* panel = currentPanel(window);
    if (panel == nullptr) {
        return;
    }
    if (isThere(places.placeOf(*panel), to)) {
        window.loadingStrip().showPassing(tr("The panel “%1” is there already.").arg(panel->windowTitle()));
        return;
    }
    places.move(*panel, to);
    Q_EMIT places.placed(panel);
    places.takeKeyboard(*panel);
}

void putCurrentBack(MainWindow& window) {
    PanelPlaces& places = window.workspace().places();
    QWidget* panel = currentPanel(window);
    if (panel == nullptr) {
        return;
    }
    if (places.isHome(*panel)) {
        window.loadingStrip().showPassing(tr("The panel “%1” is in its usual place.").arg(panel->windowTitle()));
        return;
    }
    places.putBack(*panel);
    Q_EMIT places.placed(panel);
    places.takeKeyboard(*panel);
}

}  // namespace

void addLayoutCommands(MainWindow& window) {
    CommandRegistry& commands = window.commands();
    const QString group = tr("View");
    const auto add = [&](const char* name, const QString& title, auto run) {
        commands.add({id(name), group, title, {}, [&window, run] { run(window); }});
    };
    add("view.panel-window", tr("Move the Panel to a &Window of Its Own"),
        [](MainWindow& of) { moveCurrent(of, PanelPlace::Window); });
    add("view.panel-side", tr("Move the Panel to the &Side"),
        [](MainWindow& of) { moveCurrent(of, PanelPlace::SideBottom); });
    add("view.panel-below", tr("Move the Panel &Below"), [](MainWindow& of) { moveCurrent(of, PanelPlace::Below); });
    add("view.panel-back", tr("Put the Panel &Back"), putCurrentBack);
    add("view.panels-back", tr("Put &All Panels Back"), [](MainWindow& of) {
        if (of.workspace().places().allHome()) {
            of.loadingStrip().showPassing(tr("All panels are in their usual places."));
        }
        of.workspace().places().putAllBack();
    });
    add("view.usual-layout", tr("&Usual Layout"), [](MainWindow& of) { of.workspace().useDefaultLayout(); });
    commands.add({id("file.new-window"), tr("File"), tr("New &Window of the Open Runs"), QKeySequence::New,
                  [&window] { window.openAnother(); }});
}

void addLayoutMenu(MainWindow& window, QMenu* view) {
    window.commands().fill(view->addMenu(tr("&Panels")), {id("view.panel-window"),
                                                          id("view.panel-side"),
                                                          id("view.panel-below"),
                                                          {},
                                                          id("view.panel-back"),
                                                          id("view.panels-back"),
                                                          id("view.usual-layout"),
                                                          {},
                                                          id("view.next-place"),
                                                          id("view.previous-place"),
                                                          id("view.next-page"),
                                                          id("view.previous-page")});
}

}  // namespace rankscope::ui
