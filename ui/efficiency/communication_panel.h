// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "ui/panels/deferred_panel.h"
#include "ui/panels/diagnoses_panel.h"
#include "ui/panels/open_runs.h"
#include "ui/theme/theme.h"
#include "ui/timeline/latest_job.h"
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

/// How fast ranks communicate, how much of that they hide, and what the size of DDP's buckets makes of the step: a
/// chart each, with a table beside it. It is worked out on a thread, when the panel is seen.
class CommunicationPanel : public DeferredPanel {
    Q_OBJECT

  public:
    /// What is looked at.
    enum Page : std::uint8_t { kTransfers, kOverlap, kBucketSizes };
    static constexpr std::size_t kPages = 3;

    explicit CommunicationPanel(const Theme& theme, QWidget* parent = nullptr);

    /// Looks at these runs from now on; the chosen run and rank stay, as far as there are so many.
    void setRuns(const OpenRuns& runs);
    /// Draws in the colours of this theme from now on.
    void setTheme(const Theme& theme);

    /// What the panel says above its charts, as plain text.
    [[nodiscard]] QString summary() const;
    void showPage(Page page);
    [[nodiscard]] Page page() const;
    /// The chart and the table of a page, for tests; `bucketsToday()` is the second table of the last one.
    [[nodiscard]] RunChart& chart(Page page) { return *charts_.at(page); }
    [[nodiscard]] SortedTable& table(Page page) { return *tables_.at(page); }
    [[nodiscard]] SortedTable& bucketsToday() { return *buckets_; }
    /// Asks where to save the picture of the chart in sight.
    void savePicture();
    /// The thread that works it out, for whoever waits until it is shown.
    [[nodiscard]] LatestJob& job() { return job_; }
    [[nodiscard]] bool busy() const { return job_.busy(); }

  Q_SIGNALS:
    /// The user wants to see a slice on the timeline, a step of a rank, or a finding.
    void sliceActivated(const rankscope::ui::SliceSelection& slice);
    void stepActivated(std::uint32_t run, rankscope::RankPosition rank, rankscope::RankStepPosition step);
    void findingActivated(rankscope::ui::FindingSelection finding);

  protected:
    void refresh() override;

  private:
    void layOut();
    void wire();
    [[nodiscard]] QWidget* makeChoices();
    [[nodiscard]] QWidget* half(Page page);
    [[nodiscard]] std::shared_ptr<const AnalysedRun> run() const;
    [[nodiscard]] std::uint32_t runIndex() const;
    [[nodiscard]] std::optional<RankPosition> rank() const;
    void tellNothing(const QString& why);
    void take(const std::shared_ptr<const CommunicationPage>& page);
    /// Says what the page in sight shows, and offers what can be chosen there.
    void tell();
    void write(const CommunicationHead& head);
    void showFit(std::size_t fit);
    void goToBucketFinding();

    Theme theme_;
    OpenRuns runs_;
    std::shared_ptr<const AnalysedRun> offered_;  // the run whose ranks are offered
    std::shared_ptr<const CommunicationPage> page_;
    std::size_t fit_ = 0;
    LatestJob job_;
    ElidedLabel* title_;
    LinkedLabel* about_;
    QComboBox* run_;
    QComboBox* rank_;
    QComboBox* times_;
    std::array<QPushButton*, kPages> buttons_{};
    TransferChart* transfers_;
    OverlapChart* overlap_;
    BucketChart* sizes_;
    std::array<RunChart*, kPages> charts_;
    std::array<SortedTable*, kPages> tables_;
    SortedTable* buckets_;
    QStackedWidget* pages_;
};

}  // namespace rankscope::ui
