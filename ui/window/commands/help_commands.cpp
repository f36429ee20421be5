// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands/window_commands.h"

#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>

#include "core/report/version.h"
#include "ui/commands/command_registry.h"
#include "ui/commands/reference_page.h"
#include "ui/panels/diagnosis/diagnoses_panel.h"
#include "ui/panels/shared/words.h"
#include "ui/window/commands/command_windows.h"
#include "ui/window/commands/command_words.h"
#include "ui/window/comparison/comparing.h"
#include "ui/window/help/guide_strip.h"
#include "ui/window/help/help_page.h"
#include "ui/window/help/page_texts.h"
#include "ui/window/main_window.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

using command_words::id;
using command_words::tr;

void showAbout(MainWindow& window) {
    auto* box = new QMessageBox(&window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(tr("About Rankscope"));
    box->setIconPixmap(QIcon(QStringLiteral(":/icons/rankscope.svg")).pixmap(64, 64));
    box->setTextFormat(Qt::PlainText);
    box->setText(tr("Rankscope %1").arg(text(toolVersion())));
    box->setInformativeText(tr("Shows what the ranks of a PyTorch training run wait for.\n"
                               "Report schema %1, definitions %2.\n"
                               "GPL-3.0-or-later, with Qt %3.")
                                .arg(kReportSchema)
                                .arg(kDefinitions)
                                .arg(QLatin1String(qVersion())));
    box->open();
}

/// Shows a page next to the window, so that it can be read while trying things out.
void openPage(HelpPage* page) {
    page->setAttribute(Qt::WA_DeleteOnClose);
    page->show();
}

void showReference(MainWindow& window) {
    auto* page = new HelpPage(tr("Reference"), &window);
    page->showMarkdown(referenceMarkdown(window.commands(), window.workspace().panels()));
    openPage(page);
}

void showLegend(MainWindow& window) {
    auto* page = new HelpPage(tr("Legend of the colours"), &window);
    const auto write = [page, &window] { page->showHtml(legendHtml(window.theme())); };
    write();
    QObject::connect(page, &HelpPage::restyled, page, write);
    openPage(page);
}

void showPatterns(MainWindow& window) {
    auto* page = new HelpPage(tr("What slows training down"), &window);
    const auto write = [page, &window] { page->showHtml(quickReferenceHtml(window.session().runs(), window.theme())); };
    write();
    QObject::connect(&window.session(), &Session::runsChanged, page, write);
    QObject::connect(page, &HelpPage::restyled, page, write);
    QObject::connect(page, &HelpPage::linkActivated, &window, [&window](const QString& link) {
        if (const auto finding = findingOfLink(link)) {
            window.comparing().leave();  // its findings are on the page of the open runs
            window.workspace().diagnoses().choose(*finding);
        }
    });
    openPage(page);
}

void addHelpPages(MainWindow& window) {
    CommandRegistry& commands = window.commands();
    const QString group = tr("Help");
    const auto page = [&](const char* name, const QString& title, auto show) {
        commands.add({id(name), group, title, {}, [&window, show] { show(window); }});
    };
    page("help.reference", tr("&Reference"), showReference);
    page("help.legend", tr("&Legend of the Colours"), showLegend);
    page("help.patterns", tr("What &Slows Training Down"), showPatterns);
    page("help.tour", tr("A &Tour of the Window"), [](MainWindow& beside) {
        openPage(new HelpPage(tr("A tour of the window"), helpPagePath(QStringLiteral("tour.md")), &beside));
    });
    page("help.recording", tr("How to Record T&races"), [](MainWindow& beside) {
        openPage(new HelpPage(tr("How to record traces"), helpPagePath(QStringLiteral("recording.md")), &beside));
    });
    page("help.guide", tr("&Guide Me through This Trace"), [](MainWindow& of) {
        of.comparing().leave();  // it is about one run
        of.guide().start(of.session().runs()[of.workspace().currentRun()]);
    });
    page("help.about", tr("&About Rankscope"), showAbout);
}

}  // namespace

void addHelpCommands(MainWindow& window) {
    CommandRegistry& commands = window.commands();
    const QString group = tr("Help");
    CommandWindows& windows = window.commandWindows();
    commands.add({id("help.commands"), group, tr("All &Commands..."), QKeySequence(QStringLiteral("Ctrl+Shift+P")),
                  [&windows] { windows.showPalette(); }});
    commands.add(
        {id("help.keys"), group, tr("&Keys"), QKeySequence(QStringLiteral("?")), [&windows] { windows.showKeys(); }});
    commands.add({id("help.change-keys"), group, tr("C&hange Keys..."), {}, [&windows] { windows.changeKeys(); }});
    addHelpPages(window);
    commands.fill(window.menuBar()->addMenu(tr("&Help")), {id("help.commands"),
                                                           id("help.keys"),
                                                           id("help.change-keys"),
                                                           id("help.reference"),
                                                           id("help.legend"),
                                                           {},
                                                           id("help.guide"),
                                                           id("help.patterns"),
                                                           id("help.tour"),
                                                           id("help.recording"),
                                                           {},
                                                           id("help.about")});
}

}  // namespace rankscope::ui
