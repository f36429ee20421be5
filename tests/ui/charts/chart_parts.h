// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QChart>
#include <QCoreApplication>
#include <QGraphicsItem>
#include <QLegend>
#include <QLegendMarker>
#include <QStringList>
#include <vector>

#include "ui/charts/run_chart.h"

namespace rankscope::test {

/// The words that an item of this kind, of those below the axes, shows in a chart; nothing where there is none.
template <class Names>
[[nodiscard]] std::vector<QString> shownBy(ui::RunChart& chart) {
    QCoreApplication::processEvents();  // the chart is laid out
    for (const QGraphicsItem* item : chart.chart().childItems()) {
        if (const auto* names = dynamic_cast<const Names*>(item)) {
            return names->shown();
        }
    }
    return {};
}

/// What the legend of a chart names.
[[nodiscard]] inline QStringList legendOf(ui::RunChart& chart) {
    QCoreApplication::processEvents();
    QStringList names;
    for (const QLegendMarker* marker : chart.chart().legend()->markers()) {
        names << (marker->isVisible() ? QStringList{marker->label()} : QStringList());
    }
    return names;
}

}  // namespace rankscope::test
