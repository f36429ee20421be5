// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace rankscope::ui {

class Comparing;
class Search;
class TimelineWidget;
class Workspace;

/// The view that commands apply to: the compared runs while two are compared, else the workspace.
class ActiveView {
  public:
    ActiveView(Workspace& workspace, Comparing& comparing) : workspace_(&workspace), comparing_(&comparing) {}

    /// Two runs are compared now.
    [[nodiscard]] bool comparing() const;
    /// The timeline that commands apply to.
    [[nodiscard]] TimelineWidget& timeline() const;
    /// All timelines, visible or not: that of the open runs and both of the comparison.
    [[nodiscard]] std::vector<TimelineWidget*> timelines() const;
    /// The search of the active view.
    [[nodiscard]] Search& search() const;
    /// Brings the table of the search's hits to the front.
    void showHits() const;
    /// Index of the current open run.
    [[nodiscard]] std::size_t currentRun() const;
    /// Goes to the next finding (+1) of the active view, or the previous one (-1).
    void stepFinding(int direction) const;

  private:
    Workspace* workspace_;
    Comparing* comparing_;
};

}  // namespace rankscope::ui
