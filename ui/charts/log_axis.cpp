// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/log_axis.h"

#include <QAbstractSeries>
#include <QFontMetricsF>
#include <QLogValueAxis>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_look.h"

namespace rankscope::ui {
namespace {

// Logical pixels.
constexpr double kBeyond = 40;  // beyond the axis: half of a label is drawn there
constexpr double kBetweenLabels = 6;

constexpr double kKilo = 999.5;        // from here on, kB
constexpr double kRounded = 1 + 1e-9;  // a power of ten that was rounded down belongs to its own unit

}  // namespace

QLogValueAxis* makeLogAxis(double least, double most, const QString& format, const Theme& theme) {
    constexpr double kBase = 10;
    // A value at a power of ten is drawn on the edge, where half of its point would be cut.
    constexpr double kRoom = 1.15;
    constexpr double kBeside = 1e-9;
    const double first = std::floor(std::log10(least / kRoom));
    const double last = std::max(first + 1, std::ceil(std::log10(most * kRoom)));
    auto* axis = new QLogValueAxis;
    axis->setBase(kBase);
    // Qt omits the label of a power of ten at an end if the quotient of two logarithms is not exactly a whole number.
    axis->setRange(std::pow(kBase, first) * (1 - kBeside), std::pow(kBase, last) * (1 + kBeside));
    axis->setLabelFormat(format);
    dressAxis(*axis, theme, {});
    return axis;
}

ByteLabels::ByteLabels(QChart& chart, QAbstractSeries& of, QLogValueAxis& axis, double unit_bytes, const Theme& theme)
    : WordsBelowAxis(chart, smallFont(theme), theme.text_dim, kBeyond), of_(of), axis_(axis), unit_bytes_(unit_bytes) {
    axis_.setLabelsBrush(QColor(Qt::transparent));  // they keep their space
}

std::vector<WordsBelowAxis::Placed> ByteLabels::placed() const {
    const QFontMetricsF metrics(font());
    std::vector<Placed> placed;
    const double first = std::ceil(std::log10(axis_.min()));
    double taken = boundingRect().left();
    for (double power = first; std::pow(10.0, power) <= axis_.max(); ++power) {
        const double value = std::pow(10.0, power);
        const double bytes = value * unit_bytes_;
        const ByteUnit unit = bytes < kKilo ? ByteUnit{1.0, QStringLiteral("B")} : byteUnitFor(bytes * kRounded);
        const QString words = QString::number(bytes / unit.bytes, 'g', 4) + QLatin1Char(' ') + unit.name;
        const double middle = chart().mapToPosition(QPointF(value, 1), &of_).x();
        const double half = metrics.horizontalAdvance(words) / 2;
        if (middle - half >= taken) {
            placed.push_back({middle, words});
            taken = middle + half + kBetweenLabels;
        }
    }
    return placed;
}

}  // namespace rankscope::ui
