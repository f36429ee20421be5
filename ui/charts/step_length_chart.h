// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "ui/charts/run_chart.h"

class QScatterSeries;
class QValueAxis;
class QXYSeries;

namespace rankscope {
struct RunStep;
struct StepSpread;
}  // namespace rankscope

namespace rankscope::ui {

/// A chart with a point for each step of the run, at the height of its length. Steps that prices leave out have another
/// mark.
class StepLengthChart : public RunChart {
    Q_OBJECT

  public:
    using RunChart::RunChart;

  protected:
    struct Axes {
        QValueAxis* across;
        QValueAxis* time;
        double unit_ns;  ///< unit of the values on the time axis
    };
    /// The step at a value of the horizontal axis, or nullptr.
    using StepAt = std::function<const RunStep*(double across)>;

    /// Axes with a time axis as long as the longest step.
    [[nodiscard]] Axes axesWith(QValueAxis* across) const;
    /// The step time that represents the run, and the band that contains half of the counted steps.
    void addLevels(const Axes& axes);
    /// A line through all steps at `across` (as RunFacts::steps), and a point per step; if there are very many, points
    /// only for those that are left out. Pointing at a step describes it; a click shows it on the timeline.
    void addSteps(const Axes& axes, const std::vector<std::size_t>& order, const std::vector<double>& across,
                  const StepAt& step_at);

  private:
    void answer(const QXYSeries& series, const StepAt& step_at);
    [[nodiscard]] static QString words(const RunStep& step);
    /// Ignores nullptr; with nullptr, tell() hides the words.
    void activate(const RunStep* step);
    void tell(const RunStep* step);
    /// The line through `all` steps if there are very many, on the axes of `on`.
    void drawDense(QAbstractSeries& on, const QList<QPointF>& all, const StepAt& step_at);
};

/// The distribution of the lengths of the steps: all steps from the shortest to the longest, over the share of steps
/// that are no longer. Two kinds of steps show as two levels, rare long ones as a tail.
class StepDistributionChart : public StepLengthChart {
    Q_OBJECT

  public:
    explicit StepDistributionChart(const Theme& theme, QWidget* parent = nullptr);

  protected:
    QString fill() override;
};

/// How long each step of the run lasted, in order, with the median of the steady-state ones and the band that contains
/// half of them.
class StepTimeChart : public StepLengthChart {
    Q_OBJECT

  public:
    explicit StepTimeChart(const Theme& theme, QWidget* parent = nullptr);

  protected:
    QString fill() override;
};

}  // namespace rankscope::ui
