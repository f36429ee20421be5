// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands/compare_commands.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <algorithm>
#include <array>
#include <utility>

#include "ui/charts/charts_panel.h"
#include "ui/commands/command_registry.h"
#include "ui/compare/compare_panel.h"
#include "ui/compare/compare_view.h"
#include "ui/window/commands/command_words.h"
#include "ui/window/comparison/comparing.h"
#include "ui/window/main_window.h"
#include "ui/window/opening/loading_strip.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

using command_words::id;
using command_words::tr;

constexpr std::array<const char*, kComparePages> kPageIds = {
    "compare.step", "compare.findings", "compare.kernels", "compare.operators", "compare.collectives", "compare.ranks"};

/// Whether a command is about the look of the window, whatever it shows.
bool isOfTheWindow(const QString& command) {
    return command.startsWith(QStringLiteral("view.theme")) || command.startsWith(QStringLiteral("view.text"));
}

/// Whether a command is about panels or cards that do not exist while two runs are compared, or about the single
/// timeline that exists otherwise.
bool isOfTheWorkspace(const QString& command) {
    const auto is = [&command](const char* name) { return command == id(name); };
    const bool of_view = command.startsWith(QStringLiteral("view.")) && !isOfTheWindow(command) &&
                         !is("view.overview") && !is("view.save-timeline");
    return of_view || command.startsWith(QStringLiteral("finding.")) || is("copy.place") || is("rows.one-rank");
}

/// Whether a command needs something open.
bool needsARun(const QString& command) {
    constexpr std::array<const char*, 10> kAbout = {"edit.", "go.",      "mark.",   "area.", "rows.",
                                                    "copy.", "overlay.", "search.", "view.", "help.guide"};
    const auto is_about = [&command](const char* what) { return command.startsWith(QLatin1String(what)); };
    return command.startsWith(QStringLiteral("file.save-")) || command == id("file.new-window") ||
           (std::ranges::any_of(kAbout, is_about) && !isOfTheWindow(command));
}

void addPages(MainWindow& window) {
    const std::array<QString, kComparePages> titles = {tr("The S&tep, A against B"),    tr("&Findings, A against B"),
                                                       tr("&Kernels, A against B"),     tr("&Operators, A against B"),
                                                       tr("&Collectives, A against B"), tr("&Ranks, A against B")};
    for (std::size_t i = 0; i < kComparePages; ++i) {
        window.commands().add({id(kPageIds[i]), tr("Compare"), titles[i], {}, [&window, i] {
                                   window.compareView().panel().showPage(static_cast<ComparePage>(i));
                               }});
    }
    window.commands().add({id("compare.details"), tr("Compare"), tr("&Details of the Selected Slice"), {}, [&window] {
                               window.compareView().panel().showDetails();
                           }});
}

/// Runs that are opened while two runs are compared are not visible: says so, unless something could not be read, which
/// is more important.
void tellOfOthers(MainWindow& window) {
    LoadingStrip& strip = window.loadingStrip();
    const auto tell = [&window, &strip](const QString& name) {
        if (window.comparing().active() && !strip.isVisible()) {
            const QString keys = window.commands().keysOf(id("compare.leave")).toString(QKeySequence::NativeText);
            strip.showNotice(tr("%1 is open").arg(name), tr("Leave the comparison (%1) to see it.").arg(keys));
        }
    };
    // Queued: the strip ends with the load.
    QObject::connect(&window.comparing(), &Comparing::openedBehind, &strip, tell, Qt::QueuedConnection);
}

}  // namespace

void addCompareCommands(MainWindow& window) {
    CommandRegistry& commands = window.commands();
    CompareView& view = window.compareView();
    const QString group = tr("Compare");
    commands.add({id("file.compare"), tr("File"), tr("Co&mpare..."), QKeySequence(QStringLiteral("Ctrl+Shift+C")),
                  [&window] { window.askForComparison(); }});
    commands.add({id("compare.open-runs"), group, tr("Compare the Open &Runs"), QKeySequence(QStringLiteral("Ctrl+D")),
                  [&window] { window.compareOpenRuns(); }});
    commands.add({id("compare.leave"), group, tr("&Leave the Comparison"), QKeySequence(QStringLiteral("Ctrl+Shift+D")),
                  [&window] { window.comparing().leave(); }});
    commands.add({id("compare.add-a"), group, tr("Add a Recordin&g to A..."), {}, [&window] {
                      window.askForRecording(Side::A);
                  }});
    commands.add({id("compare.add-b"), group, tr("Add a Recordi&ng to B..."), {}, [&window] {
                      window.askForRecording(Side::B);
                  }});
    commands.add({id("compare.swap"), group, tr("&Swap A and B"), {}, [&window] { window.comparing().swap(); }});
    const auto toggle = [&](const char* name, const QString& title, const char* keys, auto set) {
        QAction* action = commands.add({id(name), group, title, QKeySequence(QLatin1String(keys)), {}, true});
        QObject::connect(action, &QAction::toggled, &view, set);
    };
    toggle("compare.link", tr("Move &Both Timelines Together"), "L", &CompareView::setLinked);
    toggle("compare.by-phase", tr("Align by &Phase, Not Only by Step"), "Ctrl+L", &CompareView::setByPhase);
    toggle("compare.stack", tr("&Above and Below Each Other"), "Shift+L", &CompareView::setStacked);
    addPages(window);
    tellOfOthers(window);
    QObject::connect(&view, &CompareView::arrangementChanged, &window, [&window] { checkCompareCommands(window); });
}

void addCompareMenu(MainWindow& window) {
    QMenu* menu = window.menuBar()->addMenu(tr("&Compare"));
    window.commands().fill(menu, {id("file.compare"),
                                  id("compare.open-runs"),
                                  id("compare.leave"),
                                  {},
                                  id("compare.link"),
                                  id("compare.by-phase"),
                                  id("compare.stack"),
                                  id("compare.swap"),
                                  {},
                                  id("compare.add-a"),
                                  id("compare.add-b"),
                                  {}});
    for (const char* page : kPageIds) {
        window.commands().fill(menu, {id(page)});
    }
    window.commands().fill(menu, {id("compare.details")});
}

void checkCompareCommands(MainWindow& window) {
    const bool active = window.comparing().active();
    const std::size_t runs = window.session().runs().size();
    const CompareView& view = window.compareView();
    // Once for each action: a change of an action updates every widget that shows it.
    const auto enabled = [&](const QString& command) {
        if (command == id("compare.open-runs")) {
            return !active && runs > 1;
        }
        if (command == id("compare.by-phase")) {
            return active && view.linked();
        }
        if (command == id("view.save-chart")) {
            return !active && window.workspace().charts().canSave();
        }
        if (command == id("view.memory") || command == id("view.place-memory")) {
            return !active && (runs > 0 || !window.session().snapshots().empty());
        }
        const Companions& companions = window.session().companions();
        const bool has_logs = companions.logs != nullptr;
        const bool has_dumps = companions.dumps != nullptr;
        if ((command == id("view.network") && has_logs) || (command == id("view.hang") && has_dumps) ||
            (command == id("view.place-communication") && (has_logs || has_dumps))) {
            return !active;
        }
        return command.startsWith(QStringLiteral("compare.")) ? active
                                                              : runs > 0 && !(active && isOfTheWorkspace(command));
    };
    for (const Command& command : window.commands().commands()) {
        if (command.id.startsWith(QStringLiteral("compare.")) || isOfTheWorkspace(command.id) ||
            needsARun(command.id)) {
            window.commands().action(command.id)->setEnabled(enabled(command.id));
        }
    }
    window.commands().action(id("compare.link"))->setChecked(view.linked());
    window.commands().action(id("compare.by-phase"))->setChecked(view.byPhase());
    window.commands().action(id("compare.stack"))->setChecked(view.stacked());
}

}  // namespace rankscope::ui
