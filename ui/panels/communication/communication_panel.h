// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>

#include "ui/panels/shared/run_panel.h"
#include "ui/timeline/selection/selection.h"

class QComboBox;
class QPushButton;
class QStackedWidget;

namespace rankscope::ui {

class BucketChart;
class ElidedLabel;
class LinkedLabel;
class OverlapChart;
class RunChart;
class SortedTable;
class TransferChart;
struct CommunicationHead;
struct CommunicationPage;

/// How fast ranks communicate, how much of that is hidden, and how the size of DDP's buckets changes the step: a chart
/// each, with a table beside it. A thread computes it once the panel is visible.
class CommunicationPanel : public RunPanel {
    Q_OBJECT

  public:
    /// The pages of the panel.
    enum Page : std::uint8_t { kTransfers, kOverlap, kBucketSizes };
    static constexpr std::size_t kPages = 3;

    explicit CommunicationPanel(const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;

    /// The text of the panel above its charts, as plain text.
    [[nodiscard]] QString summary() const;
    void showPage(Page page);
    [[nodiscard]] Page page() const;
    /// The chart and the table of a page, for tests; `bucketsToday()` is the second table of the last one.
    [[nodiscard]] RunChart& chart(Page page) { return *charts_.at(page); }
    [[nodiscard]] SortedTable& table(Page page) { return *tables_.at(page); }
    [[nodiscard]] SortedTable& bucketsToday() { return *buckets_; }
    /// Asks where to save the picture of the chart in front.
    void savePicture();

  Q_SIGNALS:
    /// The user wants to see a slice on the timeline, a step of a rank, or a finding.
    void sliceActivated(const rankscope::ui::SliceSelection& slice);
    void stepActivated(std::uint32_t run, rankscope::RankPosition rank, rankscope::RankStepPosition step);
    void findingActivated(rankscope::ui::FindingSelection finding);

  private:
    void offerChoices(const AnalysedRun* of) override;
    void showRun(const std::shared_ptr<const AnalysedRun>& of) override;
    void showNothing(const QString& why) override;
    void layOut();
    void wire();
    void take(const std::shared_ptr<const CommunicationPage>& page);
    /// Describes the page in front, and offers its choices.
    void tell();
    void write(const CommunicationHead& head);
    void showFit(std::size_t fit);
    void goToBucketFinding();

    std::shared_ptr<const CommunicationPage> page_;
    std::size_t fit_ = 0;
    ElidedLabel* title_;
    LinkedLabel* about_;
    QComboBox* rank_;
    QComboBox* times_;
    std::array<QPushButton*, kPages> buttons_;
    QPushButton* save_;
    TransferChart* transfers_;
    OverlapChart* overlap_;
    BucketChart* sizes_;
    std::array<RunChart*, kPages> charts_;
    std::array<SortedTable*, kPages> tables_;
    SortedTable* buckets_;
    QStackedWidget* pages_;
};

}  // namespace rankscope::ui
