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

    void setRuns(const OpenRuns& runs);
    void setTheme(const Theme& theme);

  Q_SIGNALS:
    void sliceActivated(const rankscope::ui::SliceSelection& slice);

  private:
    StepsModel* model_;
    QTableView* table_;
    QLabel* empty_;
};

}  // namespace rankscope::ui
