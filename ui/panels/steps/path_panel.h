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

/// The critical path of a step, by cause and by rank: of the step that the timeline shows, of any other, or of all
/// steady steps, as the verdict counts them. Each row leads to its longest stretch. A thread computes the path once the
/// panel is visible.
class PathPanel : public PagePanel {
    Q_OBJECT

  public:
    /// Whose path is shown.
    enum Scope : int { kStepInView, kOneStep, kSteadySteps };

    explicit PathPanel(const Theme& theme, QWidget* parent = nullptr);

    /// Shows these runs from now on.
    void setRuns(const OpenRuns& runs);
    void setTheme(const Theme& theme) override;
    /// The step that the timeline shows; nothing: none.
    void setStepInView(const std::optional<StepSelection>& step);
    /// Shows the path of all steady steps of a run, by its index among the runs.
    void showSteadySteps(std::uint32_t run);

    /// The text of the panel above its tables, as plain text.
    [[nodiscard]] QString summary() const;
    /// The sums by cause, for tests.
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
    /// The chosen run, or nullptr.
    [[nodiscard]] std::shared_ptr<const AnalysedRun> run() const;
    /// The chosen step, if any.
    [[nodiscard]] std::optional<StepSelection> step() const;
    void offerSteps();
    void showNothing(const QString& why, const QString& what);
    void showPath(const std::shared_ptr<const ShownPath>& path);
    void fillParts(const ShownPath& path);
    void fillRanks(const ShownPath& path);
    /// Fills the last column: the longest stretch of a row with its slice, which a click on the row shows.
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
