// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/run_chart.h"

namespace rankscope::ui {

/// How long each step of the run lasted, with the median of the ordinary ones and the band in which half of them lie.
class StepTimeChart : public RunChart {
    Q_OBJECT

  public:
    explicit StepTimeChart(const Theme& theme, QWidget* parent = nullptr);

  protected:
    QString fill() override;

  private:
    void activate(double index);
};

}  // namespace rankscope::ui
