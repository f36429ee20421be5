// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/panels/compute/calls_request.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/theme/theme.h"
#include "ui/timeline/latest_job.h"
#include "ui/timeline/selection/selection.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTreeView;

namespace rankscope::ui {

class CallTreeModel;
class FlameView;

/// Who called whom and for how long, as a flame graph or as a table that unfolds: of a run or a rank, over all of its
/// time, a step or the drawn area. A thread sums the calls once the panel is visible.
class CallsPanel : public QWidget {
    Q_OBJECT

  public:
    explicit CallsPanel(const Theme& theme, QWidget* parent = nullptr);

    /// Offers the calls of these runs; keeps the chosen rank, and the chosen index of the run, if they exist.
    void setRuns(const OpenRuns& runs);
    /// Draws in the colours and fonts of this theme from now on.
    void setTheme(const Theme& theme);
    /// The area on the timeline, which can be chosen; nothing: there is none.
    void setArea(const std::optional<AreaSelection>& area);
    /// The selected slice: its step can be chosen.
    void setSlice(const SliceSelection& slice);
    /// Shows where a slice is among the calls of its rank.
    void showSlice(const SliceSelection& slice);

    /// The thread that sums, to wait until the calls are shown.
    [[nodiscard]] const LatestJob& job() const { return job_; }
    /// The flame graph, for tests.
    [[nodiscard]] FlameView& flame() { return *flame_; }
    /// The text about the chosen call, or about all.
    [[nodiscard]] QString summary() const;

  Q_SIGNALS:
    /// The user wants to see a slice on the timeline.
    void sliceActivated(const SliceSelection& slice);
    /// The user wants to see all slices of a name.
    void nameActivated(const QString& name);

  protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void layOut();
    void wire();
    void fillChoices();
    void fillRanks();
    /// Whether any rank of the chosen run has the step of the last selected slice.
    [[nodiscard]] bool hasStep() const;
    /// The times that the third box offers: all, the step of the selection, the drawn area.
    void fillTimes();
    void refresh();
    [[nodiscard]] CallsRequest request() const;
    void take(std::shared_ptr<const ShownCalls> calls);
    /// Makes the columns of the tree wide enough for their numbers in the font of the theme.
    void setWidths();
    /// Why there are no calls, and what to record to have them.
    [[nodiscard]] QString whyNone() const;
    void findWanted();
    void choose(std::uint32_t node);
    void tell(std::uint32_t node);
    void goTo(std::uint32_t node);
    void showMenu(std::uint32_t node, const QPoint& at);

    Theme theme_;
    OpenRuns runs_;
    std::optional<AreaSelection> area_;
    std::optional<std::int64_t> step_;      // step of the last selected slice
    std::optional<SliceSelection> wanted_;  // to be found among the calls once they are there
    bool stale_ = true;
    LatestJob job_;
    std::shared_ptr<const ShownCalls> calls_;
    CallTreeModel* model_;
    FlameView* flame_;
    QTreeView* tree_;
    QStackedWidget* pages_;
    QPushButton* as_flame_;
    QPushButton* as_tree_;
    QComboBox* run_;
    QComboBox* rank_;
    QComboBox* time_;
    QComboBox* source_;
    QComboBox* order_;
    QComboBox* measure_;
    QComboBox* before_;
    QPushButton* fold_;
    QLineEdit* filter_;
    QLabel* about_;
};

}  // namespace rankscope::ui
