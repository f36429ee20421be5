// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/log_axis.h"

#include <QLogValueAxis>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_look.h"

namespace rankscope::ui {

QLogValueAxis* makeLogAxis(double least, double most, const QString& format, const Theme& theme) {
    constexpr double kBase = 10;
    // A value on a power of ten is drawn on the edge, where half of its point would be cut.
    constexpr double kRoom = 1.15;
    const double first = std::floor(std::log10(least / kRoom));
    const double last = std::max(first + 1, std::ceil(std::log10(most * kRoom)));
    auto* axis = new QLogValueAxis;
    axis->setBase(kBase);
    axis->setRange(std::pow(kBase, first), std::pow(kBase, last));
    axis->setLabelFormat(format);
    dressAxis(*axis, theme, {});
    return axis;
}

}  // namespace rankscope::ui
