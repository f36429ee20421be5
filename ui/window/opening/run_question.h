// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <set>
#include <vector>

#include "ui/panels/shared/open_runs.h"

class QLabel;

namespace rankscope::ui {

class Session;

/// The indices in `runs` of those that may be ranks of one run, according to their notes (kMayBeOneRun), ascending.
[[nodiscard]] std::vector<std::size_t> runsToAskAbout(const OpenRuns& runs);

/// A strip that asks whether runs are ranks of one run if their files do not show it: once, when all is loaded. "One
/// run" opens their files again as one (LoadPart::one_run), which a session stores. Runs that the user has kept apart
/// are separate files in a session, and it does not ask about them again.
class RunQuestion : public QWidget {
    Q_OBJECT

  public:
    explicit RunQuestion(Session& session, QWidget* parent = nullptr);

  private:
    void look();
    void join();
    void keepApart();

    Session& session_;
    QLabel* about_;
    std::set<QString> apart_;  // files of runs that the user has kept apart
};

}  // namespace rankscope::ui
