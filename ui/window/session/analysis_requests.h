// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankscope::ui {

class ClocksPanel;
class GridPanel;
class IterationsChoice;
class Session;

// Connects the user's choices in a panel about the analysis of a run to the session, which analyses it again; the panel
// shows the progress. Session and panel must outlive each other's signals, as the parts of a window do.

/// The clocks of the ranks of a run.
void connectClocks(Session& session, ClocksPanel& panel);
/// The roles of the process groups of a job.
void connectGroups(Session& session, GridPanel& panel);
/// The kind of a server's iterations for medians and prices.
void connectIterations(Session& session, IterationsChoice& choice);

}  // namespace rankscope::ui
