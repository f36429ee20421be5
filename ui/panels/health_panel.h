// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/deferred_panel.h"
#include "ui/panels/open_runs.h"

class QTreeWidget;
class QTreeWidgetItem;

namespace rankscope::ui {

/// What the files of each rank held, and what in them was missing or wrong.
class HealthPanel : public DeferredPanel {
    Q_OBJECT

  public:
    explicit HealthPanel(QWidget* parent = nullptr);
    /// Shows the files of these runs.
    void setRuns(const OpenRuns& runs);

  private:
    void refresh() override;
    /// Writes what stands below a rank, the first time that it is looked at.
    void describe(QTreeWidgetItem* row);

    OpenRuns runs_;
    QTreeWidget* tree_;
};

}  // namespace rankscope::ui
