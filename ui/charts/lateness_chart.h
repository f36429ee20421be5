// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "ui/charts/run_chart.h"

namespace rankscope::ui {

/// How late each rank is ready, against the first to be: a bar for its median over ordinary steps, a point for each
/// step.
class LatenessChart : public RunChart {
    Q_OBJECT

  public:
    explicit LatenessChart(const Theme& theme, QWidget* parent = nullptr);

  protected:
    QString fill() override;

  private:
    /// Shows the step of `rank` that was `late_ns` late or, without, the one in which it was latest.
    void activate(std::uint32_t rank, std::optional<DurationNs> late_ns);
};

}  // namespace rankscope::ui
