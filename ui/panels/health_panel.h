// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/deferred_panel.h"
#include "ui/panels/open_runs.h"
#include "ui/theme/theme.h"

class QTreeWidget;
class QTreeWidgetItem;

namespace rankscope::ui {

/// What the files of each rank held, and what in them was missing or wrong.
class HealthPanel : public DeferredPanel {
    Q_OBJECT

  public:
    explicit HealthPanel(const Theme& theme, QWidget* parent = nullptr);
    /// Draws the panel in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// Shows the files of these runs.
    void setRuns(const OpenRuns& runs);

  Q_SIGNALS:
    /// The user has said whether kernels of this name, which look like communication, are.
    void treatAsked(const QString& kernel, bool communication);

  private:
    void refresh() override;
    void addSuspects(QTreeWidgetItem* row, const AnalysedRun& run, RankPosition rank);
    /// Writes what stands below a rank, the first time that it is looked at.
    void describe(QTreeWidgetItem* row);

    Theme theme_;
    OpenRuns runs_;
    QTreeWidget* tree_;
};

}  // namespace rankscope::ui
