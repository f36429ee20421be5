// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/panels/shared/open_runs.h"
#include "ui/theme/theme.h"
#include "ui/timeline/selection/selection.h"

class QComboBox;
class QPainter;
class QPushButton;
class QStackedWidget;

namespace rankscope::ui {

class RunChart;

/// The charts of a run: where the time of its steps went, how long they were, in order and as a distribution, who was
/// late, how much memory was used, and the exposed communication by role.
class ChartsPanel : public QWidget {
    Q_OBJECT

  public:
    enum Chart : std::uint8_t { kPartition, kStepTime, kDistribution, kLateness, kMemory, kRoles };

    explicit ChartsPanel(const Theme& theme, QWidget* parent = nullptr);

    /// Offers these runs; the shown run stays if it is still open.
    void setRuns(const OpenRuns& runs);
    /// Draws all charts in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// The charts in the order of their buttons.
    [[nodiscard]] const std::vector<RunChart*>& charts() const { return charts_; }
    /// Shows a run, by its index among the open ones.
    void showRun(std::uint32_t run);
    /// Brings a chart to the front, by its index in charts().
    void showChart(std::size_t chart);
    /// Whether the chart in front is still being computed.
    [[nodiscard]] bool busy() const;
    /// Whether the chart in front can be saved: it is not known to be empty.
    [[nodiscard]] bool canSave() const;
    /// Asks where to save the chart in front.
    void savePicture();
    /// Draws the chart in front into an area of `size` from the painter's origin.
    void paintChart(QPainter& painter, const QSize& size) const;

  Q_SIGNALS:
    /// The user has clicked on something that represents this slice.
    void stepActivated(std::uint32_t run, rankscope::RankPosition rank, rankscope::RankStepPosition step);

    /// canSave() may have changed.
    void canSaveChanged(bool can);

  private:
    void hand();
    void checkSave();
    [[nodiscard]] RunChart& current() const;

    OpenRuns runs_;
    std::vector<RunChart*> charts_;
    std::vector<QPushButton*> buttons_;
    QComboBox* run_;
    QStackedWidget* pages_;
    QPushButton* save_;
};

}  // namespace rankscope::ui
