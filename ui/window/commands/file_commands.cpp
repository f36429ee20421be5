// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands/file_commands.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <algorithm>

#include "ui/commands/command_registry.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/plain_text.h"
#include "ui/window/active_view.h"
#include "ui/window/commands/command_words.h"
#include "ui/window/main_window.h"
#include "ui/window/opening/open_requests.h"
#include "ui/window/report_export.h"
#include "ui/window/session/session_keeper.h"

namespace rankscope::ui {
namespace {

using command_words::id;
using command_words::tr;

/// Closes the current run; if there is none, a companion: the snapshot that was opened last, logs or dumps.
void closeCurrent(MainWindow& window) {
    Session& session = window.session();
    if (!session.runs().empty()) {
        session.close(window.active().currentRun());
    } else if (!session.snapshots().empty()) {
        session.closeSnapshot(session.snapshots().back());
    } else if (session.companions().logs != nullptr) {
        session.closeLogs();
    } else {
        session.closeDumps();
    }
}

void fillRecent(MainWindow& window, QMenu* menu) {
    menu->clear();
    for (const QStringList& entry : window.requests().recent().entries()) {
        QString title = RecentPaths::title(entry);
        title.replace(QLatin1Char('&'), QStringLiteral("&&"));
        QAction* action = menu->addAction(title);
        action->setToolTip(plainTip(entry.join(QLatin1Char('\n'))));
        QObject::connect(action, &QAction::triggered, &window, [&window, entry] { window.open(entry); });
    }
    menu->setEnabled(!menu->isEmpty());
}

}  // namespace

void addFileCommands(MainWindow& window) {
    CommandRegistry& commands = window.commands();
    const QString group = tr("File");
    commands.add({id("file.open-files"), group, tr("&Open Files..."), QKeySequence::Open,
                  [&window] { window.requests().askForFiles(); }});
    commands.add({id("file.open-folder"), group, tr("Open &Folder..."), QKeySequence(QStringLiteral("Ctrl+Shift+O")),
                  [&window] { window.requests().askForFolder(); }});
    commands.add({id("file.open-path"), group, tr("Open &Path or ssh://..."), {}, [&window] {
                      window.requests().askForPath();
                  }});
    commands.add({id("file.open-step"), group, tr("Open This St&ep from Its Trace"), {}, [&window] {
                      window.openStepFromTrace();
                  }});
    QAction* map = commands.add({id("go.step-map"), tr("Go"), tr("Map of All Steps of All Ran&ks"), {}, {}, true});
    QObject::connect(map, &QAction::triggered, &window, &MainWindow::showStepMap);
    commands.add({id("file.open-session"), group, tr("Open Sess&ion..."), {}, [&window] {
                      window.sessions().askToOpen(&window);
                  }});
    commands.add({id("file.save-session"), group, tr("&Save Session As..."), QKeySequence::SaveAs,
                  [&window] { window.sessions().askToSave(&window); }});
    commands.add({id("file.save-report"), group, tr("Sa&ve the Report..."), QKeySequence(QStringLiteral("Ctrl+E")),
                  [&window] { window.reports().askForReport(&window); }});
    commands.add({id("file.save-tables"), group, tr("Save the &Tables as CSV..."), {}, [&window] {
                      window.reports().askForTables(&window);
                  }});
    commands.add({id("job.describe"), tr("Edit"), tr("Describe the &Job..."), {}, [&window] { window.describeJob(); }});
    commands.add({id("file.reopen"), group, tr("Reopen the &Last Closed Run"),
                  QKeySequence(QStringLiteral("Ctrl+Shift+T")), [&window] { window.session().reopen(); }});
    commands.add({id("file.close"), group, tr("&Close Run"), QKeySequence(QStringLiteral("Ctrl+W")),
                  [&window] { closeCurrent(window); }});
    commands.add({id("file.close-all"), group, tr("Close &All"), QKeySequence(QStringLiteral("Ctrl+Shift+W")),
                  [&window] { window.session().closeAll(); }});
    commands.add(
        {id("file.quit"), group, tr("&Quit"), QKeySequence(QStringLiteral("Ctrl+Q")), [&window] { window.quit(); }});
}

void addFileMenu(MainWindow& window) {
    QMenu* menu = window.menuBar()->addMenu(tr("&File"));
    window.commands().fill(menu, {id("file.open-files"), id("file.open-folder"), id("file.open-path")});
    QMenu* recent = menu->addMenu(tr("Open &Recent"));
    fillRecent(window, recent);
    QObject::connect(&window, &MainWindow::recentChanged, recent, [&window, recent] { fillRecent(window, recent); });
    QObject::connect(menu, &QMenu::aboutToShow, menu, [&window] {
        const OpenRuns& runs = window.session().runs();
        const std::size_t current = window.active().currentRun();
        const QString name = runs.size() < 2 ? tr("Run") : text(runs[current]->run->name);
        window.commands().action(id("file.close"))->setText(tr("&Close %1").arg(name));
    });
    window.commands().fill(menu, {id("file.open-step"),
                                  id("file.compare"),
                                  {},
                                  id("file.open-session"),
                                  id("file.save-session"),
                                  {},
                                  id("file.save-report"),
                                  id("file.save-tables"),
                                  {},
                                  id("file.new-window"),
                                  id("file.close"),
                                  id("file.close-all"),
                                  id("file.reopen"),
                                  {},
                                  id("file.quit")});
}

void checkFileCommands(MainWindow& window) {
    const Session& session = window.session();
    const bool nothing = session.empty();
    const auto enable = [&](const char* name, bool on) { window.commands().action(id(name))->setEnabled(on); };
    enable("file.close", !nothing);
    enable("file.close-all", !nothing);
    enable("file.reopen", session.canReopen());
    enable("job.describe",
           std::ranges::any_of(session.runs(), [](const auto& run) { return !run->facts.ranks.empty(); }));
    // The steps that were read from its trace are complete.
    enable("file.open-step", std::ranges::any_of(session.runs(), [](const auto& run) {
               return std::ranges::any_of(run->run->ranks, [](const auto& rank) {
                   return !rank->files.empty() && !rank->files.front().digest.empty();
               });
           }));
}

}  // namespace rankscope::ui
