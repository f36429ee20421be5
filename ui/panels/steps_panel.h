// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/panels/open_runs.h"
#include "ui/theme/theme.h"
#include "ui/timeline/selection/selection.h"

class QLabel;
class QTableView;

namespace rankscope::ui {

class StepsModel;

/// Where the time of each step went, on each rank. A double click shows the step on the timeline.
class StepsPanel : public QWidget {
    Q_OBJECT

  public:
    explicit StepsPanel(const Theme& theme, QWidget* parent = nullptr);

    /// Shows the steps of these runs; says why there are none while they are being read and analysed.
    void setRuns(const OpenRuns& runs);
    /// Shows the table in the colours of another theme.
    void setTheme(const Theme& theme);

  Q_SIGNALS:
    /// The user double-clicked a step: this is the slice of the host that marks it on that rank. Not sent for a step
    /// that no slice marks.
    void sliceActivated(const rankscope::ui::SliceSelection& slice);

  private:
    StepsModel* model_;
    QTableView* table_;
    QLabel* empty_;
};

}  // namespace rankscope::ui
