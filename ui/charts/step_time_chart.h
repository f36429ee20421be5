// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/run_chart.h"

class QValueAxis;
class QXYSeries;

namespace rankscope {
struct StepSpread;
}

namespace rankscope::ui {

/// How long each step of the run lasted, with the median of the steady-state ones and the band in which half of them
/// lie.
class StepTimeChart : public RunChart {
    Q_OBJECT

  public:
    explicit StepTimeChart(const Theme& theme, QWidget* parent = nullptr);

  protected:
    QString fill() override;

  private:
    struct Axes {
        QValueAxis* steps;
        QValueAxis* time;
        double unit_ns;  ///< of what is on the axis of time
    };
    /// The median of the steady-state steps, and the band in which half of them lie.
    void addMedian(const StepSpread& spread, const Axes& axes);
    /// A line through all steps, and a point for each; of very many, for outliers alone.
    void addSteps(const Axes& axes);
    /// What hovering and clicking it does.
    void answer(const QXYSeries& series);
    void activate(double index);
};

}  // namespace rankscope::ui
