// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/step_length_chart.h"

namespace rankscope::ui {

/// How long each step of the run lasted, in their order, with the median of the steady-state ones and the band in which
/// half of them lie.
class StepTimeChart : public StepLengthChart {
    Q_OBJECT

  public:
    explicit StepTimeChart(const Theme& theme, QWidget* parent = nullptr);

  protected:
    QString fill() override;
};

}  // namespace rankscope::ui
