// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/charts/run_chart.h"

class QScrollBar;
class QStackedBarSeries;

namespace rankscope::ui {

/// Where the time of each step went on each rank: a stacked bar for each, in groups of a step. As many as are told
/// apart are in sight at once; the others are scrolled to.
class PartitionChart : public RunChart {
    Q_OBJECT

  public:
    explicit PartitionChart(const Theme& theme, QWidget* parent = nullptr);

    /// How many bars are in sight, and how many there are.
    [[nodiscard]] std::size_t barsInSight() const;
    /// How many bars there are in all, those between two steps included.
    [[nodiscard]] std::size_t bars() const { return bars_.size(); }

  protected:
    QString fill() override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    /// A step of a rank; the place between two steps is empty.
    struct Bar {
        RunStepPosition run_step;
        RankPosition rank;
        RankStepPosition step;
        bool empty = true;
    };

    void collect();
    void addParts(QStackedBarSeries& series, std::size_t from, std::size_t to, double unit_ns);
    void hideSmallParts(const QStackedBarSeries& series);
    void offerBars(std::size_t from, double unit_ns);
    [[nodiscard]] QString words(const Bar& bar) const;
    [[nodiscard]] QString words(const Bar& bar, const QString& part, DurationNs ns) const;

    std::vector<Bar> bars_;
    QScrollBar* scroll_;
};

}  // namespace rankscope::ui
