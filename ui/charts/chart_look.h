// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QString>
#include <cstddef>
#include <string_view>

#include "core/base/time.h"
#include "ui/theme/theme.h"

class QAbstractAxis;
class QChart;
class QValueAxis;

namespace rankscope::ui {

/// A chart draws up to this many points one by one. Qt Charts makes an item of each: more would take longer than an
/// event may, and would cover each other. More points go into a DenseSeries.
inline constexpr std::size_t kMostPoints = 300;

/// The unit of a time axis: the most readable one for its greatest value.
struct TimeUnit {
    double ns = 1.0;
    QString name;  ///< "ms"
};
/// Seconds from 2 s on, milliseconds from 1 ms on, else microseconds.
[[nodiscard]] TimeUnit timeUnitFor(DurationNs greatest);

/// The same for bytes, in decimal units.
struct ByteUnit {
    double bytes = 1.0;
    QString name;  ///< "GB"
};
/// GB, MB or kB, by the greatest value on the axis in bytes.
[[nodiscard]] ByteUnit byteUnitFor(double greatest);

/// The font of a chart's axes and of its legend.
[[nodiscard]] QFont smallFont(const Theme& theme);
/// Gives a chart the colours and fonts of the window: no frame, no shadow, hairlines behind the data.
void dressChart(QChart& chart, const Theme& theme);
/// The same for an axis with this `title`.
void dressAxis(QAbstractAxis& axis, const Theme& theme, const QString& title);
/// An axis of values from 0 to `greatest` with round numbers at its ticks; with `whole_points`, it is extended at both
/// ends so that points there fit.
void dressValueAxis(QValueAxis& axis, double greatest, bool whole_points = false);
/// An axis with a place for each of the integers from `first` to `last`; `format` names them, like "step %d". Of more
/// than sixteen, only round numbers are named, so that each name fits.
[[nodiscard]] QValueAxis* makeNumberAxis(double first, double last, const QString& format, const Theme& theme);
/// Draws the markers without outlines; call it once all series exist.
void dressLegend(QChart& chart);
/// A colour of the report's palette, as in the charts of the HTML report.
[[nodiscard]] QColor paletteColour(std::string_view name, const Theme& theme);

}  // namespace rankscope::ui
