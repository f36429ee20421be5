// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/heat_legend.h"

#include <QPainter>

#include "ui/theme/text_scale.h"
#include "ui/timeline/paint/overview_picture.h"

namespace rankscope::ui {
namespace {

constexpr int kLegendText = 11;
constexpr int kLegendSpace = 6;
constexpr int kScaleWidth = 120;
constexpr int kLegendPatch = 14;
constexpr int kStripes = 90;  // alpha, out of 255

}  // namespace

void paintStripes(QPainter& painter, const QRectF& place, const Theme& theme) {
    QColor stripes = theme.surface;
    stripes.setAlpha(kStripes);
    painter.fillRect(place, QBrush(stripes, Qt::BDiagPattern));
}

void paintMissing(QPainter& painter, const QRectF& place, const Theme& theme) {
    painter.setPen(QPen(theme.text_dim, 1, Qt::DotLine));
    painter.setBrush(QBrush(theme.border, Qt::BDiagPattern));
    painter.drawRect(place);
}

HeatLegend::HeatLegend(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("Colour scale"));
}

void HeatLegend::setScale(const QString& from, const QString& to, bool unknown, bool missing) {
    from_ = from;
    to_ = to;
    unknown_ = unknown;
    missing_ = missing;
    updateGeometry();
    update();
}

void HeatLegend::setStriped(bool striped) {
    striped_ = striped;
    update();
}

void HeatLegend::setTheme(const Theme& theme) {
    theme_ = theme;
    updateGeometry();
    update();
}

QFont HeatLegend::legendFont() const {
    QFont font = theme_.ui_font;
    font.setPixelSize(scaled(kLegendText, theme_));
    return font;
}

QString HeatLegend::spokenContent() const {
    return from_.isEmpty() ? tr("Nothing is coloured.") : tr("From %1 to %2.").arg(from_, to_);
}

QSize HeatLegend::sizeHint() const {
    const QFontMetrics metrics(legendFont());
    int width = metrics.horizontalAdvance(from_ + to_) + kScaleWidth + 3 * kLegendSpace;
    width += unknown_ ? kLegendPatch + 3 * kLegendSpace + metrics.horizontalAdvance(tr("unknown")) : 0;
    width += missing_ ? kLegendPatch + 3 * kLegendSpace + metrics.horizontalAdvance(tr("no file")) : 0;
    return {width, metrics.height() + 2};
}

void HeatLegend::paintEvent(QPaintEvent* /*event*/) {
    if (from_.isEmpty()) {
        return;
    }
    QPainter painter(this);
    painter.setFont(legendFont());
    const QFontMetrics metrics(painter.font());
    const int top = (height() - metrics.ascent()) / 2;
    int x = 0;
    const auto write = [&](const QString& words) {
        painter.setPen(theme_.text_dim);
        painter.drawText(QRect(x, 0, metrics.horizontalAdvance(words) + 2, height()), Qt::AlignVCenter, words);
        x += metrics.horizontalAdvance(words) + kLegendSpace;
    };
    write(from_);
    for (int i = 0; i < kScaleWidth; ++i) {
        painter.fillRect(QRect(x + i, top, 1, metrics.ascent()),
                         QColor::fromRgb(heatColor(static_cast<double>(i) / (kScaleWidth - 1), theme_)));
    }
    const int striped = striped_ ? static_cast<int>(kScaleWidth * (1 - kStripedHeat)) : 0;
    paintStripes(painter, QRect(x + kScaleWidth - striped, top, striped, metrics.ascent()), theme_);
    x += kScaleWidth + kLegendSpace;
    write(to_);
    if (unknown_) {
        x += kLegendSpace;
        painter.fillRect(QRect(x, top, kLegendPatch, metrics.ascent()), theme_.raised);
        x += kLegendPatch + kLegendSpace;
        write(tr("unknown"));
    }
    if (missing_) {
        x += kLegendSpace;
        paintMissing(painter, QRect(x, top, kLegendPatch, metrics.ascent() - 1), theme_);
        x += kLegendPatch + kLegendSpace;
        write(tr("no file"));
    }
}

}  // namespace rankscope::ui
