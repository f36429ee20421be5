// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/panels/shared/open_runs.h"
#include "ui/panels/shared/step_chart.h"
#include "ui/theme/theme.h"
#include "ui/timeline/selection/selection.h"

class QAction;
class QScrollArea;
class QVBoxLayout;

namespace rankscope::ui {

class RunFindings;
class WrappedLabel;

/// The verdict of each open run, its findings as cards, most severe first, and what is unknown.
class DiagnosesPanel : public QWidget {
    Q_OBJECT

  public:
    explicit DiagnosesPanel(const Theme& theme, QWidget* parent = nullptr);

    /// Shows the findings of these runs, in an event of its own, since other panels that show new runs take a part of
    /// the same frame. Cards of runs that stay are kept.
    void setRuns(const OpenRuns& runs);
    /// Whether the findings are not shown yet.
    [[nodiscard]] bool busy() const { return outdated_; }
    /// Shows them now, if they are not.
    void finish();
    /// Draws the cards in the colours of this theme from now on.
    void setTheme(const Theme& theme);

    /// Sets the menu of each card; its actions apply to selected(). They must outlive the panel.
    void setCardActions(const QList<QAction*>& actions);

    /// The marked finding, if any.
    [[nodiscard]] std::optional<FindingSelection> selected() const { return selected_; }
    /// Marks a finding and scrolls to it, without findingSelected.
    void select(std::optional<FindingSelection> finding);
    /// Selects a finding as if it were clicked; ignores one that does not exist.
    void choose(const FindingSelection& finding);

  Q_SIGNALS:
    /// The user has selected a finding.
    void findingSelected(rankscope::ui::FindingSelection finding);
    /// The user wants to see a chart of a run, by its index among the open ones.
    void chartAsked(std::uint32_t run, rankscope::ui::StepChart chart);
    /// The user wants to know what a change, as core/whatif reads it, would do to a run; an empty one: any change.
    void whatIfAsked(std::uint32_t run, const std::string& change);
    /// The user wants to see this slice.
    void sliceActivated(const rankscope::ui::SliceSelection& slice);
    /// The user wants to see a stretch of time of a rank, on the clock of its file.
    void spanActivated(std::uint32_t run, rankscope::RankPosition rank, const rankscope::TimeSpan& span);

  private:
    [[nodiscard]] RunFindings* sectionOf(const std::shared_ptr<const AnalysedRun>& run, bool named);
    void activate(const RunFindings& section, std::uint32_t finding);
    /// The index of its run among the open runs; nothing while it is about to be replaced.
    [[nodiscard]] std::optional<std::uint32_t> indexOf(const RunFindings& section) const;
    /// Connects the links of a run's verdict.
    void connectVerdict(const RunFindings& section);
    /// Makes the keyboard go through the cards from top to bottom.
    void orderTabs();

    Theme theme_;
    OpenRuns runs_;
    std::optional<FindingSelection> selected_;
    QList<QAction*> card_actions_;
    std::vector<RunFindings*> sections_;  ///< one per run, once they are built
    bool outdated_ = false;               ///< they belong to the previous runs
    QScrollArea* scroll_;
    QVBoxLayout* list_;
    WrappedLabel* none_;
};

}  // namespace rankscope::ui
