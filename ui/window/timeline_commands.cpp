// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/timeline_commands.h"

#include <QAction>
#include <QMenu>

#include "ui/commands/command_registry.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/main_window.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

constexpr int kLastRankKey = 9;

QString tr(const char* words) {
    return MainWindow::tr(words);
}

QString id(const char* name) {
    return QLatin1String(name);
}

void addOverlays(MainWindow& window) {
    const auto overlay = [&](const char* name, const QString& title, Overlay which) {
        QAction* action = window.commands().add({id(name), tr("Overlays"), title, {}, {}, true});
        action->setChecked(window.workspace().timeline().overlays().has(which));
        QObject::connect(action, &QAction::toggled, &window,
                         [&window, which](bool on) { window.workspace().timeline().setOverlay(which, on); });
    };
    overlay("overlay.gaps", tr("&Gaps of the Device"), Overlay::Gaps);
    overlay("overlay.overlap", tr("&Communication under Compute"), Overlay::Overlap);
    overlay("overlay.exposed", tr("&Exposed Communication"), Overlay::Exposed);
    overlay("overlay.stragglers", tr("&Stragglers"), Overlay::Stragglers);
}

}  // namespace

void addTimelineCommands(MainWindow& window) {
    CommandRegistry& commands = window.commands();
    QAction* overview = commands.add(
        {id("view.overview"), tr("View"), tr("&Overview"), QKeySequence(QStringLiteral("Ctrl+3")), {}, true});
    overview->setChecked(true);
    QObject::connect(overview, &QAction::toggled, &window,
                     [&window](bool on) { window.workspace().timeline().setOverviewVisible(on); });
    addOverlays(window);
    for (int number = 0; number <= kLastRankKey; ++number) {
        commands.add({QStringLiteral("go.rank-%1").arg(number), tr("Go"), tr("Rank %1").arg(number),
                      QKeySequence(QString::number(number)),
                      [&window, number] { window.workspace().timeline().showRank(number); }});
    }
    const auto mark = [&](const char* name, const QString& title, const char* keys, TimelineAction action) {
        commands.add({id(name), tr("Marks"), title, QKeySequence(QLatin1String(keys)),
                      [&window, action] { window.workspace().timeline().trigger(action); }});
    };
    mark("mark.pass", tr("&Mark the Selection"), "M", TimelineAction::Mark);
    mark("mark.keep", tr("&Keep a Mark with a Note..."), "Shift+M", TimelineAction::KeepMark);
    mark("mark.remove", tr("&Remove the Chosen Mark"), "Delete", TimelineAction::RemoveMark);
}

void checkTimelineCommands(MainWindow& window) {
    const TimelineState state = window.workspace().timeline().state();
    const auto check = [&](const char* name, bool on) { window.commands().action(id(name))->setChecked(on); };
    check("view.overview", state.overview);
    check("overlay.gaps", state.overlays.has(Overlay::Gaps));
    check("overlay.overlap", state.overlays.has(Overlay::Overlap));
    check("overlay.exposed", state.overlays.has(Overlay::Exposed));
    check("overlay.stragglers", state.overlays.has(Overlay::Stragglers));
}

void addOverlayMenu(MainWindow& window, QMenu* view) {
    QMenu* overlays = view->addMenu(tr("&Overlays"));
    window.commands().fill(
        overlays, {id("overlay.gaps"), id("overlay.overlap"), id("overlay.exposed"), id("overlay.stragglers")});
}

}  // namespace rankscope::ui
