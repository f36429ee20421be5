// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "ui/panels/compute/roofline_chart.h"
#include "ui/panels/shared/run_panel.h"
#include "ui/timeline/selection/selection.h"

class QAction;
class QComboBox;
class QPushButton;
class QStackedWidget;

namespace rankscope::ui {

class SortedTable;
class TurningSplitter;
class ElidedLabel;
class LinkedLabel;
class MissingModel;
class WaterfallDelegate;
struct EfficiencyPage;

/// How much of the hardware a run uses: MFU in one line; what is missing, as a waterfall from the peak with a link per
/// line; and the roofline of its operators or kernels, or the same as a table. A thread computes it once the panel is
/// visible.
class EfficiencyPanel : public RunPanel {
    Q_OBJECT

  public:
    explicit EfficiencyPanel(const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    /// The action with which the user enters the work of the job and the peak of its devices: offered if these are
    /// missing.
    void setJobAction(QAction* job);

    /// The text of the panel above its pictures, as plain text.
    [[nodiscard]] QString summary() const;
    /// The waterfall from the peak to what is achieved.
    [[nodiscard]] SortedTable& missing() { return *missing_; }
    [[nodiscard]] RooflineChart& roofline() { return *roofline_; }
    /// The operators or kernels as a table.
    [[nodiscard]] SortedTable& rows() { return *rows_; }
    /// Shows operators or kernels; as a table, or as a roofline.
    void showRows(Counted what, bool as_table);
    /// Asks where to save the picture of the missing share, or of the roofline.
    void saveMissingPicture();
    void saveRooflinePicture();

  Q_SIGNALS:
    /// The user wants to see a slice on the timeline, or a finding.
    void sliceActivated(const rankscope::ui::SliceSelection& slice);
    void findingActivated(rankscope::ui::FindingSelection finding);

  private:
    void offerChoices(const AnalysedRun* of) override;
    void showRun(const std::shared_ptr<const AnalysedRun>& of) override;
    void showNothing(const QString& why) override;
    void layOut();
    void makeChoices();
    [[nodiscard]] Counted counted() const;
    void take(const std::shared_ptr<const EfficiencyPage>& page);
    void drawMissing();
    void fillRows();
    void activateMissing(std::uint32_t row);
    void activateRow(std::uint32_t row);
    void activate(const EfficiencyPlace& place);

    std::shared_ptr<const EfficiencyPage> page_;
    QAction* job_action_ = nullptr;
    ElidedLabel* title_;
    LinkedLabel* about_;
    LinkedLabel* notes_;
    QComboBox* rank_;
    QPushButton* operators_;
    QPushButton* kernels_;
    QPushButton* as_picture_;
    QPushButton* as_table_;
    QPushButton* save_;
    TurningSplitter* body_;
    MissingModel* missing_model_;
    SortedTable* missing_;
    WaterfallDelegate* waterfall_;
    RooflineChart* roofline_;
    SortedTable* rows_;
    QStackedWidget* pages_;
};

}  // namespace rankscope::ui
