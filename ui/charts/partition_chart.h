// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "ui/charts/run_chart.h"
#include "ui/charts/step_names.h"

class QCategoryAxis;
class QGraphicsItem;
class QScrollBar;
class QStackedBarSeries;
class QWheelEvent;

namespace rankscope::ui {

class WrappedLegend;

/// Where the time of each step went on each rank: one stacked bar per rank, grouped by step. The first group is the
/// typical step of each rank, if all have one: its steady-state step of median length, so that its parts add up. There
/// is no such group if prices are of the mean step, as no single step represents it. Shows only as many bars as can be
/// distinguished; the wheel scrolls, and with Ctrl makes bars wider and narrower.
class PartitionChart : public RunChart {
    Q_OBJECT

  public:
    explicit PartitionChart(const Theme& theme, QWidget* parent = nullptr);

    /// The number of bars in view.
    [[nodiscard]] std::size_t barsInSight() const;
    /// The number of all bars, with the gaps between two steps.
    [[nodiscard]] std::size_t bars() const { return bars_.size(); }

  protected:
    QString fill() override;
    void refresh() override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    /// A step of a rank; empty for a gap between two steps.
    struct Bar {
        RunStepPosition run_step;
        RankPosition rank;
        RankStepPosition step;
        bool empty = true;
        bool typical = false;
    };

    void collect();
    /// Collects the typical steps of the ranks, if each rank with device work has enough steps and prices are of the
    /// median step; else none.
    void collectTypical();
    void turnWheel(const QWheelEvent& wheel);
    /// An axis with a place for each group of bars, with room for its name.
    [[nodiscard]] QCategoryAxis* makeStepAxis(std::size_t from, std::size_t to, bool below_names) const;
    /// The groups of bars, one per step, from one bar to another.
    [[nodiscard]] std::vector<StepBars> stepGroups(std::size_t from, std::size_t to) const;
    /// The names below the bars; empty if all are of one rank.
    [[nodiscard]] std::vector<QString> rankNames(std::size_t from, std::size_t to) const;
    /// The same with the places of the ranks in the grid of their job; empty if these are not known.
    [[nodiscard]] std::vector<QString> placeNames(std::size_t from, std::size_t to) const;
    void addParts(QStackedBarSeries& series, std::size_t from, std::size_t to, double unit_ns);
    void hideSmallParts(const QStackedBarSeries& series);
    void offerBars(std::size_t from, double unit_ns);
    [[nodiscard]] QString words(const Bar& bar) const;
    [[nodiscard]] QString words(const Bar& bar, const QString& part, DurationNs ns) const;

    std::vector<Bar> bars_;
    QScrollBar* scroll_;
    int bar_pixels_;
    QGraphicsItem* names_ = nullptr;       // the names of the bars, owned by the chart
    QGraphicsItem* step_names_ = nullptr;  // the names of the steps, owned by the chart
    WrappedLegend* legend_;                // owned by the chart
};

}  // namespace rankscope::ui
