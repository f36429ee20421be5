// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/dense_series.h"

#include <QAbstractSeries>
#include <QChart>
#include <QGraphicsSceneHoverEvent>
#include <QGraphicsSceneMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

namespace rankscope::ui {

DenseSeries::DenseSeries(QChart& chart, QAbstractSeries& on, std::vector<Layer> layers)
    : QGraphicsObject(&chart), chart_(chart), on_(on), layers_(std::move(layers)) {
    constexpr double kInFront = 100;  // above the grid, and above the level lines, which would catch the pointer
    setParent(&on);
    setZValue(kInFront);
    setAcceptHoverEvents(true);
    setCursor(Qt::PointingHandCursor);
    connect(&chart, &QChart::plotAreaChanged, this, [this] {
        prepareGeometryChange();
        update();
    });
}

QRectF DenseSeries::boundingRect() const {
    return chart_.plotArea();
}

void DenseSeries::paint(QPainter* painter, const QStyleOptionGraphicsItem* /*option*/, QWidget* /*widget*/) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing, false);  // columns of pixels need no smoothing
    for (const Layer& layer : layers_) {
        layer.look == Look::Bars ? paintBars(*painter, layer) : paintLine(*painter, layer);
    }
    painter->restore();
}

void DenseSeries::paintBars(QPainter& painter, const Layer& layer) const {
    const QPointF origin = chart_.mapToPosition({0, 0}, &on_);
    const QPointF unit = chart_.mapToPosition({1, 1}, &on_) - origin;
    const auto edge = [&](double across) { return std::round(origin.x() + across * unit.x()); };
    for (qsizetype bar = 0; bar < layer.points.size();) {
        const double left = edge(layer.points[bar].x() - 0.5);
        double right = left;
        double tallest = 0;
        for (; bar < layer.points.size() && right <= left; ++bar) {  // the tallest of the bars that share a pixel
            tallest = std::max(tallest, layer.points[bar].y());
            right = edge(layer.points[bar].x() + 0.5);
        }
        const double top = origin.y() + tallest * unit.y();
        painter.fillRect(QRectF(left, top, std::max(1.0, right - left), origin.y() - top), layer.colour);
    }
}

void DenseSeries::paintLine(QPainter& painter, const Layer& layer) const {
    const QPointF origin = chart_.mapToPosition({0, 0}, &on_);
    const QPointF unit = chart_.mapToPosition({1, 1}, &on_) - origin;
    QList<QPointF> places;
    places.reserve(layer.points.size());
    for (const QPointF& point : layer.points) {
        places.append(origin + QPointF(point.x() * unit.x(), point.y() * unit.y()));
    }
    painter.setPen(QPen(layer.colour, 1));
    painter.drawPolyline(places.constData(), static_cast<int>(places.size()));
}

double DenseSeries::valueAt(const QPointF& at) const {
    return chart_.mapToValue(at, &on_).x();
}

void DenseSeries::hoverMoveEvent(QGraphicsSceneHoverEvent* event) {
    Q_EMIT hovered(valueAt(event->pos()));
}

void DenseSeries::hoverLeaveEvent(QGraphicsSceneHoverEvent* /*event*/) {
    Q_EMIT left();
}

void DenseSeries::mousePressEvent(QGraphicsSceneMouseEvent* event) {
    Q_EMIT clicked(valueAt(event->pos()));
}

}  // namespace rankscope::ui
