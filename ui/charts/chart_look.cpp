// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_look.h"
#include "ui/theme/nice_interval.h"

#include <QAbstractAxis>
#include <QChart>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLegendMarker>
#include <QPen>
#include <QValueAxis>
#include <algorithm>
#include <cmath>

#include "core/report/palette.h"

namespace rankscope::ui {
QFont smallFont(const Theme& theme) {
    QFont font = theme.ui_font;
    font.setPointSizeF(theme.ui_font.pointSizeF() * 0.9);
    return font;
}

TimeUnit timeUnitFor(DurationNs greatest) {
    if (greatest >= 2'000'000'000) {
        return {1e9, QStringLiteral("s")};
    }
    if (greatest >= 1'000'000) {
        return {1e6, QStringLiteral("ms")};
    }
    return {1e3, QStringLiteral("µs")};
}

ByteUnit byteUnitFor(double greatest) {
    if (greatest >= 1e9) {
        return {1e9, QStringLiteral("GB")};
    }
    if (greatest >= 1e6) {
        return {1e6, QStringLiteral("MB")};
    }
    return {1e3, QStringLiteral("kB")};
}

void dressChart(QChart& chart, const Theme& theme) {
    chart.setBackgroundVisible(false);
    chart.setPlotAreaBackgroundVisible(false);
    chart.setDropShadowEnabled(false);
    chart.setMargins(QMargins(4, 0, 12, 2));
    chart.layout()->setContentsMargins(0, 0, 0, 0);
    chart.legend()->setAlignment(Qt::AlignTop);
    chart.legend()->setContentsMargins(0, 0, 0, 0);
    chart.legend()->layout()->setContentsMargins(0, 0, 0, 0);  // otherwise two lines of a low chart are wasted
    chart.legend()->setFont(smallFont(theme));
    chart.legend()->setLabelColor(theme.text);
    chart.legend()->setMarkerShape(QLegend::MarkerShapeRectangle);
    chart.legend()->setShowToolTips(true);
}

void dressAxis(QAbstractAxis& axis, const Theme& theme, const QString& title) {
    axis.setTitleText(title);
    axis.setTitleFont(smallFont(theme));
    axis.setTitleBrush(theme.text_dim);
    axis.setLabelsFont(smallFont(theme));
    axis.setLabelsBrush(theme.text_dim);
    axis.setLinePen(QPen(theme.border, 1));
    axis.setGridLinePen(QPen(theme.grid, 1));
    axis.setShadesVisible(false);
}

void dressValueAxis(QValueAxis& axis, double greatest, bool whole_points) {
    constexpr double kRoom = 0.08;  // share of the axis, so that a point at its end is not cut in a low chart
    axis.setRange(0, greatest);
    axis.setTickCount(4);
    axis.setLabelFormat(QStringLiteral("%.4g"));
    axis.applyNiceNumbers();
    if (whole_points) {
        const double interval = axis.max() / (axis.tickCount() - 1);
        axis.setTickType(QValueAxis::TicksDynamic);
        axis.setTickAnchor(0);
        axis.setTickInterval(interval);
        axis.setRange(-kRoom * axis.max(), std::max(axis.max(), (1 + kRoom) * greatest));
    }
}

QValueAxis* makeNumberAxis(double first, double last, const QString& format, const Theme& theme) {
    constexpr double kLabels = 16.0;
    auto* axis = new QValueAxis;
    axis->setRange(first - 0.5, last + 0.5);
    axis->setLabelFormat(format);
    axis->setTickType(QValueAxis::TicksDynamic);
    const double interval = last - first < kLabels ? 1.0 : std::max(1.0, niceInterval(last - first));
    axis->setTickInterval(interval);
    axis->setTickAnchor(std::ceil(first / interval) * interval);
    dressAxis(*axis, theme, {});
    axis->setGridLineVisible(false);
    return axis;
}

void dressLegend(QChart& chart) {
    for (QLegendMarker* marker : chart.legend()->markers()) {
        marker->setPen(Qt::NoPen);
    }
}

QColor paletteColour(std::string_view name, const Theme& theme) {
    const auto palette = report::palette();
    const auto at = std::ranges::find(palette, name, &report::PaletteColour::name);
    return at == palette.end() ? theme.text_dim : QColor::fromRgb(theme.dark ? at->dark : at->light);
}

}  // namespace rankscope::ui
