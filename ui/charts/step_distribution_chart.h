// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/step_length_chart.h"

namespace rankscope::ui {

/// How the lengths of the steps are distributed: all steps from the shortest to the longest, over the share of the
/// steps that are no longer. Two kinds of steps show as two levels, rare long ones as a tail.
class StepDistributionChart : public StepLengthChart {
    Q_OBJECT

  public:
    explicit StepDistributionChart(const Theme& theme, QWidget* parent = nullptr);

  protected:
    QString fill() override;
};

}  // namespace rankscope::ui
