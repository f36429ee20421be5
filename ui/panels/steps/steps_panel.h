// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/panels/shared/analysis_choice.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/theme/theme.h"
#include "ui/timeline/selection/selection.h"
#include "ui/widgets/deferred_panel.h"

class QLabel;
class QTableView;

namespace rankscope::ui {

class ColumnFit;
class IterationsChoice;
class StepsModel;

/// Where the time of each step went, on each rank. A double click shows the step on the timeline. For a server, the
/// user chooses above the table which iterations prices are of.
class StepsPanel : public DeferredPanel {
    Q_OBJECT

  public:
    explicit StepsPanel(const Theme& theme, QWidget* parent = nullptr);

    /// Shows the steps of these runs; says why there are none while they are being read and analysed. `choices` as
    /// `runs`: the user's choices about their analysis.
    void setRuns(const OpenRuns& runs, const std::vector<AnalysisChoice>& choices = {});
    /// Shows the table in the colours of another theme.
    void setTheme(const Theme& theme);
    /// The choice of the iterations that prices are of.
    [[nodiscard]] IterationsChoice& iterations() { return *iterations_; }

  Q_SIGNALS:
    /// The user double-clicked a step: the host's slice that marks it on that rank. Not sent for a step without a
    /// marking slice.
    void sliceActivated(const rankscope::ui::SliceSelection& slice);

  protected:
    void refresh() override;

  private:
    OpenRuns runs_;
    IterationsChoice* iterations_;
    StepsModel* model_;
    QTableView* table_;
    ColumnFit* fit_ = nullptr;
    QLabel* empty_;
};

}  // namespace rankscope::ui
