// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/session/analysis_requests.h"

#include "ui/panels/communication/grid_panel.h"
#include "ui/panels/shared/iterations_choice.h"
#include "ui/panels/trace/clocks_panel.h"
#include "ui/theme/core_text.h"
#include "ui/window/session/session.h"

namespace rankscope::ui {
namespace {

/// Removes the progress from a panel when no analysis is running any more.
template <class Panel>
void clearWhenDone(Session& session, Panel& panel) {
    QObject::connect(&session.reanalysis(), &Reanalysis::finished, &panel, [&] {
        if (!session.reanalysis().busy()) {
            panel.showProgress({});
        }
    });
}

}  // namespace

void connectClocks(Session& session, ClocksPanel& panel) {
    QObject::connect(&panel, &ClocksPanel::chosen, &session, [&](std::uint32_t run, const ClockChoice& choice) {
        panel.showProgress(ClocksPanel::tr("Analysing again on the new clock..."));
        session.setClocks(run, choice);
    });
    QObject::connect(&panel, &ClocksPanel::cancelRequested, &session.reanalysis(), &Reanalysis::cancel);
    QObject::connect(&session.reanalysis(), &Reanalysis::progressed, &panel, [&](const Progress& progress) {
        if (session.reanalysis().busy()) {
            panel.showProgress(ClocksPanel::tr("Analysing again: %1").arg(coreText(progress.stage)));
        }
    });
    clearWhenDone(session, panel);
}

void connectGroups(Session& session, GridPanel& panel) {
    QObject::connect(&panel, &GridPanel::roleChosen, &session,
                     [&](std::uint32_t run, const QString& group, std::optional<Role> role) {
                         panel.showProgress(GridPanel::tr("Analysing again with your role of %1...").arg(group));
                         session.setRole(run, group.toStdString(), role);
                     });
    clearWhenDone(session, panel);
}

void connectIterations(Session& session, IterationsChoice& choice) {
    QObject::connect(
        &choice, &IterationsChoice::chosen, &session, [&](std::uint32_t run, std::optional<IterationKind> kind) {
            choice.showProgress(IterationsChoice::tr("Analysing again with prices of these iterations..."));
            session.setIterations(run, kind);
        });
    clearWhenDone(session, choice);
}

}  // namespace rankscope::ui
