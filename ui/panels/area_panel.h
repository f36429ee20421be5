// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "ui/panels/open_runs.h"
#include "ui/theme/theme.h"
#include "ui/timeline/latest_job.h"
#include "ui/timeline/selection/selection.h"

class QLabel;
class QTableWidget;

namespace rankscope::ui {

/// The sums of the area that is drawn on the timeline, live: its slices by name, and where the time of each of its
/// ranks went. They are added up on another thread; the old ones stay until the new ones are there.
class AreaPanel : public QWidget {
    Q_OBJECT

  public:
    explicit AreaPanel(const Theme& theme, QWidget* parent = nullptr);

    /// Looks at these runs from now on; the area of the old ones is forgotten.
    void setRuns(const OpenRuns& runs);
    /// Draws the bars in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// Adds up this area on a thread and shows the sums when they are there; nothing: says that none is drawn.
    void showArea(const std::optional<AreaSelection>& area);

    /// What the panel says above its tables, as plain text.
    [[nodiscard]] QString summary() const;
    /// The table of slices by name, for tests.
    [[nodiscard]] const QTableWidget& names() const { return *names_; }
    /// The table of where the time of each rank went, for tests.
    [[nodiscard]] const QTableWidget& ranks() const { return *ranks_; }
    /// Waits for the sums: for screenshots and tests.
    void finish();

  private:
    void showNothing();
    void show(const AreaSelection& area, const AreaSums& sums);
    void fillNames(const AreaSums& sums);
    void fillRanks(const AnalysedRun& run, const AreaSums& sums);

    Theme theme_;
    OpenRuns runs_;
    std::optional<AreaSelection> area_;
    QLabel* title_;
    QLabel* about_;
    QTableWidget* names_;
    QTableWidget* ranks_;
    LatestJob job_;
};

}  // namespace rankscope::ui
