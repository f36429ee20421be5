// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/words_below_axis.h"

#include <QFontMetricsF>
#include <QPainter>

namespace rankscope::ui {

WordsBelowAxis::WordsBelowAxis(QChart& chart, const QFont& font, const QColor& color, double beyond)
    : QGraphicsItem(&chart), chart_(chart), font_(font), color_(color), beyond_(beyond) {}

QRectF WordsBelowAxis::boundingRect() const {
    constexpr double kBelow = 4;  // pixels from the axis
    const QRectF plot = chart_.plotArea();
    return {plot.left() - beyond_, plot.bottom() + kBelow, plot.width() + 2 * beyond_, QFontMetricsF(font_).height()};
}

std::vector<QString> WordsBelowAxis::shown() const {
    std::vector<QString> words;
    for (const Placed& each : placed()) {
        words.push_back(each.words);
    }
    return words;
}

void WordsBelowAxis::paint(QPainter* painter, const QStyleOptionGraphicsItem* /*option*/, QWidget* /*widget*/) {
    const QRectF line = boundingRect();
    painter->setFont(font_);
    painter->setPen(color_);
    for (const Placed& each : placed()) {
        const double width = QFontMetricsF(font_).horizontalAdvance(each.words) + 1;
        painter->drawText(QRectF(each.middle - width / 2, line.top(), width, line.height()), Qt::AlignCenter,
                          each.words);
    }
}

}  // namespace rankscope::ui
