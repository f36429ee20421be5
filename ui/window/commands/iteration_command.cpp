// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands/iteration_command.h"

#include <QAction>
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "ui/commands/command_registry.h"
#include "ui/panels/shared/iterations_choice.h"
#include "ui/panels/shared/words.h"
#include "ui/panels/steps/steps_panel.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/window/commands/command_windows.h"
#include "ui/window/commands/command_words.h"
#include "ui/window/main_window.h"
#include "ui/window/session/session.h"
#include "ui/window/workspace.h"

namespace rankscope::ui {
namespace {

using command_words::id;
using command_words::tr;

bool serves(const std::shared_ptr<const AnalysedRun>& run) {
    return !IterationsChoice::kindsOf(*run).empty();
}

/// Asks the user for a kind for the current run, or for the first one that is a server.
void chooseIterations(MainWindow& window) {
    const OpenRuns& runs = window.session().runs();
    std::size_t run = window.active().currentRun();
    if (run >= runs.size() || !serves(runs[run])) {
        run = static_cast<std::size_t>(std::ranges::find_if(runs, serves) - runs.begin());
    }
    if (run >= runs.size()) {
        return;
    }
    const QString name = text(runs[run]->run->name);
    std::vector<PaletteEntry> entries{{QString(), name, tr("What Takes Most Time"), {}}};
    for (const IterationKind kind : IterationsChoice::kindsOf(*runs[run])) {
        const std::string_view word = iterationKindName(kind);
        entries.push_back({QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size())),
                           name,
                           coreText(iterationTitle(kind)),
                           {}});
    }
    window.commandWindows().choose(std::move(entries), tr("Iterations for medians and prices"),
                                   [&window, run](const QString& kind) {
                                       window.workspace().showBelow(window.workspace().steps());
                                       Q_EMIT window.workspace().steps().iterations().chosen(
                                           static_cast<std::uint32_t>(run), iterationKindOf(kind.toStdString()));
                                   });
}

}  // namespace

void addIterationCommand(MainWindow& window) {
    window.commands().add(
        {id(kIterationsCommand), tr("View"), tr("Choose the &Iterations for Prices..."), {}, [&window] {
             chooseIterations(window);
         }});
    checkIterationCommand(window);
}

void checkIterationCommand(MainWindow& window) {
    const bool any = std::ranges::any_of(window.session().runs(), serves);
    QAction* action = window.commands().action(id(kIterationsCommand));
    action->setEnabled(any);
    action->setToolTip(any ? QString() : plainTip(tr("No open run is of an LLM server.")));
}

}  // namespace rankscope::ui
