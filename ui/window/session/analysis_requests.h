// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankscope::ui {

class ClocksPanel;
class GridPanel;
class IterationsChoice;
class Session;

// What the user says in a panel of how a run is to be analysed goes to the session, which analyses it again; how that
// goes is shown in the panel. Session and panel must outlive each other's signals, as the parts of a window do.

/// On which clock the ranks of a run are.
void connectClocks(Session& session, ClocksPanel& panel);
/// What the process groups of a job are for.
void connectGroups(Session& session, GridPanel& panel);
/// Which iterations of a server medians and prices are of.
void connectIterations(Session& session, IterationsChoice& choice);

}  // namespace rankscope::ui
