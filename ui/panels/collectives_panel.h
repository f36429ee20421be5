// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/analysis/collectives/collective_list.h"
#include "ui/panels/deferred_panel.h"
#include "ui/panels/open_runs.h"
#include "ui/theme/theme.h"
#include "ui/timeline/latest_job.h"
#include "ui/timeline/selection/selection.h"

class QComboBox;
class QLabel;
class QTableView;

namespace rankscope::ui {

class CollectivesModel;

/// The collectives of a run, each a row: of all groups, of one, or of all with one role; sorted by a click on a title.
/// A row leads to the first of its kernels. The list is made and sorted on a thread, when the panel is seen.
class CollectivesPanel : public DeferredPanel {
    Q_OBJECT

  public:
    explicit CollectivesPanel(const Theme& theme, QWidget* parent = nullptr);

    /// Lists the collectives of these runs from now on; what was chosen stays, as far as there is such a group.
    void setRuns(const OpenRuns& runs);
    /// Draws the table in the fonts of this theme from now on.
    void setTheme(const Theme& theme);
    /// Lists those of one group of a run.
    void showGroup(std::uint32_t run, std::uint32_t group);

    /// What the panel says beside its choices, as plain text.
    [[nodiscard]] QString summary() const;
    /// The thread that makes the list, for whoever waits until it is shown.
    [[nodiscard]] LatestJob& job() { return job_; }
    [[nodiscard]] const LatestJob& job() const { return job_; }

  Q_SIGNALS:
    /// The user wants to see the first kernel of a collective on the timeline.
    void sliceActivated(const rankscope::ui::SliceSelection& slice);

  protected:
    void refresh() override;

  private:
    void layOut();
    /// Offers the groups of the chosen run, once it is seen.
    void offerGroups();
    [[nodiscard]] std::uint32_t runIndex() const;
    [[nodiscard]] CollectiveFilter filter() const;
    void sortBy(int column);
    void activate(int row);

    OpenRuns runs_;
    int column_ = 0;  // CollectivesModel::Column
    bool descending_ = false;
    bool offered_ = true;  // the groups of the chosen run
    CollectivesModel* model_;
    QTableView* table_;
    QComboBox* run_;
    QComboBox* which_;
    QLabel* about_;
    LatestJob job_;
};

}  // namespace rankscope::ui
