// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "ui/compare/compared_runs.h"
#include "ui/compare/lookup.h"
#include "ui/compare/pair_args.h"
#include "ui/theme/theme.h"
#include "ui/timeline/latest_job.h"
#include "ui/timeline/selection/selection.h"

class QLabel;
class QTabWidget;

namespace rankscope::ui {

class CompareTable;
class DetailsPanel;
class HitsPanel;
class IndexStore;
class RichText;
class StackedBar;
class WaterfallDelegate;

/// What changed from A to B, in words and tables, and what is recorded of the slice that is selected in one of them.
/// Every line is a link into both timelines.
class ComparePanel : public QWidget {
    Q_OBJECT

  public:
    ComparePanel(const Theme& theme, const std::shared_ptr<IndexStore>& indices, QWidget* parent = nullptr);

    /// nullptr: it is still being worked out.
    void setRuns(std::shared_ptr<const ComparedRuns> runs);
    /// Draws words, bars and tables in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// Says what is compared with what, in front of the verdict.
    void showPair(const FoundPair& pair);
    /// What was selected represents what showPair() shows, and is named above it: a stretch of communication. Empty: it
    /// is that itself.
    void setSelected(const QString& words) { selected_words_ = words; }
    /// Something was selected that no counterpart is looked for, or nothing.
    void clearPair();

    /// Brings one of the tables to the front.
    void showPage(ComparePage page);
    /// Brings all that is recorded of the selected slice to the front, or the hits of the search.
    void showDetails();
    /// Brings the hits of the search to the front.
    void showHits();
    /// Both count runs by side.
    [[nodiscard]] DetailsPanel& details() { return *details_; }
    [[nodiscard]] HitsPanel& hits() { return *hits_; }
    /// Follows the next finding, or the one before.
    void stepFinding(int direction);
    /// The table of a page.
    [[nodiscard]] CompareTable& table(ComparePage page) { return *tables_[static_cast<std::size_t>(page)]; }
    /// What is said at the left, as plain text.
    [[nodiscard]] QString verdictText() const;
    /// Whether the pair is being read back from its files.
    [[nodiscard]] bool reading() const { return args_job_.busy(); }
    /// What is said of the selected slice and its counterpart, as plain text.
    [[nodiscard]] QString pairText() const;

  Q_SIGNALS:
    /// A line of a table was activated.
    void asked(const rankscope::ui::AskPlaces& ask);
    /// A slice in the words or the details was; its run is the side.
    void sliceActivated(const rankscope::ui::SliceSelection& slice);

  private:
    void layOut();
    [[nodiscard]] QWidget* stepPage();
    void activate(ComparePage page, std::uint32_t row);
    void renderVerdict();
    void renderPair();
    /// Reads back what was found in both files, and says in what it differs.
    void readArgs();
    void renderSteps();

    Theme theme_;
    std::shared_ptr<const ComparedRuns> runs_;
    std::optional<FoundPair> pair_;
    QString selected_words_;
    std::optional<std::pair<ComparePage, std::uint32_t>> line_;  // that was activated last
    std::optional<PairEvents> events_;                           // of the pair; nothing while they are read
    LatestJob args_job_;
    QTabWidget* words_;
    RichText* verdict_;
    RichText* selected_;
    QTabWidget* pages_;
    std::array<CompareTable*, kComparePages> tables_{};
    std::array<StackedBar*, 2> bars_{};
    std::array<QLabel*, 2> lengths_{};
    QWidget* bar_box_;
    DetailsPanel* details_;
    HitsPanel* hits_;
    WaterfallDelegate* waterfall_;
};

}  // namespace rankscope::ui
