// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QScatterSeries>
#include <QValueAxis>
#include <optional>
#include <vector>

#include "ui/charts/run_chart.h"

namespace rankscope::ui {

/// How late each rank is ready, relative to the first: a bar for its median over steady-state steps, and a point for
/// each step or, in a large run, for the latest step of each rank; with hundreds of ranks a paler bar behind the first.
class LatenessChart : public RunChart {
    Q_OBJECT

  public:
    explicit LatenessChart(const Theme& theme, QWidget* parent = nullptr);

  protected:
    QString fill() override;

  private:
    [[nodiscard]] QString words(RankPosition rank, DurationNs late) const;
    void drawBars(const std::vector<DurationNs>& medians, double unit_ns, QValueAxis& ranks, QValueAxis& time);
    /// The same for too many ranks to draw bar by bar.
    void drawDense(const std::vector<DurationNs>& medians, double unit_ns, QValueAxis& ranks, QValueAxis& time);
    [[nodiscard]] QColor barColour(int alpha) const;
    /// A point for each step or, if there are too many, for the latest step of each rank.
    [[nodiscard]] QScatterSeries* points(double unit_ns) const;
    /// Sets what hovering and clicking them does; `unit_ns`: of the chart's axis.
    void answer(const QScatterSeries& steps, double unit_ns);
    /// Shows the step of `rank` that was `late_ns` late or, without it, its latest step.
    void activate(RankPosition rank, std::optional<DurationNs> late_ns);
};

}  // namespace rankscope::ui
