// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/wrapped_legend.h"

#include <QFontMetricsF>
#include <QGraphicsLayout>
#include <QLegend>
#include <QPainter>
#include <utility>

namespace rankscope::ui {
namespace {

// Pixels. No entry is narrower than in Qt's legend, so what fits on one line here fits there.
constexpr double kBetweenParts = 16;
constexpr double kBesideSwatch = 6;
constexpr double kBetweenLines = 3;
constexpr double kSwatch = 0.6;  // share of the height of a line of text

}  // namespace

WrappedLegend::WrappedLegend(QChart& chart) : QGraphicsItem(&chart), chart_(chart) {
    setVisible(false);
}

double WrappedLegend::lineHeight() const {
    return QFontMetricsF(font_).height() + kBetweenLines;
}

double WrappedLegend::widthOf(const Part& part) const {
    const QFontMetricsF metrics(font_);
    return kSwatch * metrics.height() + kBesideSwatch + metrics.horizontalAdvance(part.name);
}

double WrappedLegend::widthOf(const std::vector<std::size_t>& line) const {
    double width = 0;
    for (const std::size_t part : line) {
        width += (width > 0 ? kBetweenParts : 0) + widthOf(parts_[part]);
    }
    return width;
}

void WrappedLegend::setParts(std::vector<Part> parts, double width, const QFont& font, const QColor& color) {
    prepareGeometryChange();
    parts_ = std::move(parts);
    font_ = font;
    color_ = color;
    lines_.clear();
    double taken = 0;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        const double wide = widthOf(parts_[part]);
        if (lines_.empty() || taken + kBetweenParts + wide > width) {
            lines_.emplace_back();
            taken = -kBetweenParts;
        }
        lines_.back().push_back(part);
        taken += kBetweenParts + wide;
    }
    const bool wraps = lines_.size() > 1;
    const double height = wraps ? static_cast<double>(lines_.size()) * lineHeight() : -1;  // -1: its natural height
    if (!wraps) {
        lines_.clear();
    }
    QLegend& legend = *chart_.legend();
    legend.setOpacity(wraps ? 0 : 1);  // it keeps its space
    legend.setMinimumHeight(height);
    legend.setPreferredHeight(height);
    chart_.layout()->invalidate();
    setVisible(wraps);
    update();
}

std::vector<QStringList> WrappedLegend::lines() const {
    std::vector<QStringList> lines;
    for (const std::vector<std::size_t>& line : lines_) {
        QStringList& names = lines.emplace_back();
        for (const std::size_t part : line) {
            names << parts_[part].name;
        }
    }
    return lines;
}

QRectF WrappedLegend::boundingRect() const {
    return chart_.legend()->geometry();
}

void WrappedLegend::paint(QPainter* painter, const QStyleOptionGraphicsItem* /*option*/, QWidget* /*widget*/) {
    const QRectF place = boundingRect();
    const QFontMetricsF metrics(font_);
    const double side = kSwatch * metrics.height();
    painter->setFont(font_);
    painter->setPen(color_);
    double y = place.top();
    for (const std::vector<std::size_t>& line : lines_) {
        double x = place.center().x() - widthOf(line) / 2;
        for (const std::size_t part : line) {
            painter->fillRect(QRectF(x, y + (metrics.height() - side) / 2, side, side), parts_[part].brush);
            const double text = x + side + kBesideSwatch;
            const double wide = metrics.horizontalAdvance(parts_[part].name) + 1;
            painter->drawText(QRectF(text, y, wide, metrics.height()), Qt::AlignLeft | Qt::AlignVCenter,
                              parts_[part].name);
            x += widthOf(parts_[part]) + kBetweenParts;
        }
        y += lineHeight();
    }
}

}  // namespace rankscope::ui
