// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/window_style.h"

#include <QPainter>
#include <QPolygonF>
#include <QStyleOption>
#include <QWidget>

namespace rankscope::ui {
namespace {

constexpr double kDefaultPoints = 10;
constexpr double kBranch = 8;  // pixels of the branch indicator, beside text of the usual size
constexpr int kFaint = 160;    // alpha, out of 255

/// A triangle that points down if the branch is open, otherwise towards its contents.
void drawBranch(QPainter& painter, const QStyleOption& option, double size) {
    const QPointF middle = QRectF(option.rect).center();
    const double across = size / 2;
    const double along = size / 4;
    const double forward = option.direction == Qt::RightToLeft ? -along : along;
    const QPolygonF sign =
        option.state.testFlag(QStyle::State_Open)
            ? QPolygonF({QPointF(-across, -along), QPointF(across, -along), QPointF(0, along)})
            : QPolygonF({QPointF(-forward, -across), QPointF(forward, 0), QPointF(-forward, across)});
    QColor colour = option.palette.color(QPalette::Text);
    colour.setAlpha(kFaint);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(sign.translated(middle));
    painter.restore();
}

}  // namespace

WindowStyle::WindowStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

int WindowStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                           QStyleHintReturn* more) const {
    return hint == SH_DialogButtonBox_ButtonsHaveIcons ? 0 : QProxyStyle::styleHint(hint, option, widget, more);
}

void WindowStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const {
    const double scale = widget != nullptr ? widget->font().pointSizeF() / kDefaultPoints : 1.0;
    if (element == PE_IndicatorBranch && scale > 1 && option->state.testFlag(State_Children)) {
        drawBranch(*painter, *option, kBranch * scale);  // Fusion's indicator has a fixed size
    } else {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

}  // namespace rankscope::ui
