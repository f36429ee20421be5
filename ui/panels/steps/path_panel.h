// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "ui/panels/shared/open_runs.h"
#include "ui/panels/shared/page_panel.h"
#include "ui/timeline/selection/selection.h"

class QComboBox;
class QLabel;
class QSpinBox;
class QTableWidget;
class QTableWidgetItem;

namespace rankscope::ui {

class StackedBar;
struct ShownPath;

/// What the critical path of a step went to, by what it was and by rank: of the step that the timeline shows, of any
/// other, or of all steady steps, as the verdict counts them. Each row leads to its longest stretch. The path is worked
/// out on a thread, when the panel is seen.
class PathPanel : public PagePanel {
    Q_OBJECT

  public:
    /// Whose path is shown.
    enum Scope : int { kStepInView, kOneStep, kSteadySteps };

    explicit PathPanel(const Theme& theme, QWidget* parent = nullptr);

    /// Looks at these runs from now on.
    void setRuns(const OpenRuns& runs);
    void setTheme(const Theme& theme) override;
    /// The step that the timeline shows; nothing: none.
    void setStepInView(const std::optional<StepSelection>& step);
    /// Shows the path of all steady steps of a run, by its place among the runs.
    void showSteadySteps(std::uint32_t run);

    /// What the panel says above its tables, as plain text.
    [[nodiscard]] QString summary() const;
    /// The sums by what the time went to, for tests.
    [[nodiscard]] const QTableWidget& parts() const { return *parts_; }
    /// The sums by rank, for tests.
    [[nodiscard]] const QTableWidget& ranks() const { return *ranks_; }

  Q_SIGNALS:
    /// The user wants to see the slice of a stretch on the timeline.
    void sliceActivated(const rankscope::ui::SliceSelection& slice);

  protected:
    void refresh() override;

  private:
    void wireChoices();
    /// The run that is chosen, or nullptr.
    [[nodiscard]] std::shared_ptr<const AnalysedRun> run() const;
    /// The step that is chosen, or nothing.
    [[nodiscard]] std::optional<StepSelection> step() const;
    void offerSteps();
    void showNothing(const QString& why, const QString& what);
    void showPath(const std::shared_ptr<const ShownPath>& path);
    void fillParts(const ShownPath& path);
    void fillRanks(const ShownPath& path);
    /// The last column: the longest stretch of a row with its slice, which a click on the row leads to.
    void fillLongest(QTableWidget& table, int row, const ShownPath& path, std::size_t stretch) const;
    void goTo(const QTableWidgetItem& item);

    OpenRuns runs_;
    std::optional<StepSelection> in_view_;
    std::shared_ptr<const ShownPath> path_;
    QLabel* title_;
    QLabel* about_;
    QComboBox* run_;
    QComboBox* scope_;
    QSpinBox* step_;
    StackedBar* bar_;
    QTableWidget* parts_;
    QTableWidget* ranks_;
};

}  // namespace rankscope::ui
