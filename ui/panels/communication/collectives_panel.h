// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/analysis/collectives/collective_list.h"
#include "ui/panels/shared/run_panel.h"
#include "ui/timeline/selection/selection.h"

class QComboBox;
class QLabel;
class QTableView;

namespace rankscope::ui {

class CollectivesModel;
class ColumnFit;

/// The collectives of a run, one per row: of all groups, of one, or of all with one role; sorted by a click on a title.
/// A row leads to the first of its kernels. A thread makes and sorts the list once the panel is visible.
class CollectivesPanel : public RunPanel {
    Q_OBJECT

  public:
    explicit CollectivesPanel(const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    /// Lists the collectives of one group of a run.
    void showGroup(std::uint32_t run, std::uint32_t group);

    /// The text of the panel next to its choices, as plain text.
    [[nodiscard]] QString summary() const;

  Q_SIGNALS:
    /// The user wants to see the first kernel of a collective on the timeline.
    void sliceActivated(const rankscope::ui::SliceSelection& slice);

  private:
    void layOut();
    /// The groups of the run. The choice stays if that group exists.
    void offerChoices(const AnalysedRun* of) override;
    void showRun(const std::shared_ptr<const AnalysedRun>& of) override;
    void showNothing(const QString& why) override;
    [[nodiscard]] CollectiveFilter filter() const;
    void sortBy(int column);
    void activate(int row);

    int column_ = 0;  // CollectivesModel::Column
    bool descending_ = false;
    CollectivesModel* model_;
    QTableView* table_;
    ColumnFit* fit_ = nullptr;
    QComboBox* which_;
    QLabel* about_;
};

}  // namespace rankscope::ui
