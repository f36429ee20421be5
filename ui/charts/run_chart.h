// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "ui/charts/chart_view.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/theme/theme.h"
#include "ui/timeline/selection/selection.h"
#include "ui/widgets/deferred_panel.h"

class QAbstractAxis;
class QAbstractSeries;
class QChart;
class QLabel;
class QPainter;

namespace rankscope::ui {

/// A chart of one run. It is drawn when it is first seen and whenever its run changes. A click in it shows something on
/// the timeline.
class RunChart : public DeferredPanel {
    Q_OBJECT

  public:
    RunChart(const QString& title, const Theme& theme, QWidget* parent = nullptr);

    /// `index` is the run's index among the open ones; a nullptr run shows nothing.
    void setRun(std::shared_ptr<const AnalysedRun> run, std::uint32_t index);
    /// Draws the chart in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// "Step time": the title of its button, and the name of its saved file.
    [[nodiscard]] const QString& title() const { return title_; }
    /// Whether it waits for a thread.
    [[nodiscard]] virtual bool busy() const { return false; }
    /// The chart, for pictures and tests; empty while there is nothing to show.
    [[nodiscard]] ChartView& view() { return *view_; }
    [[nodiscard]] QChart& chart() { return *chart_; }
    /// Draws the chart as large as fits into `size`.
    void paint(QPainter& painter, const QSize& size) const;
    /// Whether it is known that there is nothing to show; not known before the chart is first seen.
    [[nodiscard]] bool empty() const { return run_ == nullptr || nothing_; }
    /// Asks where to save the chart as a picture, as it is seen, with the current scroll position. If there is nothing
    /// to show, the window says why.
    void savePicture();

  Q_SIGNALS:
    /// empty() may have changed.
    void emptyChanged();
    /// The user has clicked on something that represents this step of a rank. `run`: index among the open ones.
    void stepActivated(std::uint32_t run, rankscope::RankPosition rank, rankscope::RankStepPosition step);
    /// The user has clicked on something that represents this slice.
    void sliceActivated(const rankscope::ui::SliceSelection& slice);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    /// Fills the empty chart from run(). Returns why there is nothing to show, or an empty text.
    virtual QString fill() = 0;

    void refresh() override;
    /// Adds a series on both axes, which become the chart's.
    void add(QAbstractSeries* series, QAbstractAxis* across, QAbstractAxis* up);
    /// Replaces the items that the keyboard finds in the chart; called from fill().
    void offer(ChartItems items);
    /// Shows `words`, as plain text, in a tooltip at the pointer, for as long as it rests.
    void tell(const QString& words);
    /// Shows the step of a rank on the timeline.
    void activateStep(RankPosition rank, RankStepPosition step);
    /// Shows a slice on the timeline; ignores an invalid one.
    void activateSlice(RankPosition rank, SliceRef slice);
    [[nodiscard]] const AnalysedRun& run() const { return *run_; }
    [[nodiscard]] const Theme& theme() const { return theme_; }

  private:
    /// Leaves room for its axes and its legend.
    void setHeight();

    QString title_;
    Theme theme_;
    std::shared_ptr<const AnalysedRun> run_;
    std::uint32_t index_ = 0;
    bool nothing_ = false;  // known from the last drawing
    QChart* chart_;
    ChartView* view_;
    QLabel* empty_;
};

/// Makes a chart at least so high that the titles of its axes fit.
void keepTitles(RunChart& chart);

}  // namespace rankscope::ui
