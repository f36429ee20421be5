// SPDX-License-Identifier: GPL-3.0-or-later

#include <QAbstractAxis>
#include <QChart>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/charts/run_chart.h"

namespace rankscope::ui {

void keepTitles(RunChart& chart) {
    constexpr double kLines = 8.8;  // below this height a ChartView leaves out the title of the axis below
    const auto axes = chart.chart().axes(Qt::Horizontal);
    if (!axes.isEmpty()) {
        const double line = QFontMetricsF(axes.constFirst()->titleFont()).height();
        ChartView& view = chart.view();
        view.setMinimumHeight(std::max(view.minimumHeight(), static_cast<int>(std::ceil(kLines * line))));
    }
}

}  // namespace rankscope::ui
