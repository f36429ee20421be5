// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QGraphicsObject>
#include <QList>
#include <QPointF>
#include <vector>

class QAbstractSeries;
class QChart;

namespace rankscope::ui {

/// Bars or a line in a chart with at least as many points as pixels across. Qt Charts makes an item of each bar and
/// strokes each line to find the pointer on it: with a thousand points either takes longer than an event may. This is
/// one item, and the pointer hits what is in its column, at any height.
class DenseSeries : public QGraphicsObject {
    Q_OBJECT

  public:
    enum class Look {
        Bars,  ///< from 0, each one unit wide
        Line,
    };
    struct Layer {
        Look look = Look::Bars;
        QList<QPointF> points;  ///< values on the axes of `on`, with ascending x
        QColor colour;
    };

    /// `layers`: the rearmost first. It is drawn on the axes of `on`, a series of `chart`, which must be linear, and is
    /// deleted with it.
    DenseSeries(QChart& chart, QAbstractSeries& on, std::vector<Layer> layers);

    [[nodiscard]] QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

  Q_SIGNALS:
    /// The pointer is at this value of the horizontal axis, or no longer at any.
    void hovered(double across);
    void left();
    void clicked(double across);

  protected:
    void hoverMoveEvent(QGraphicsSceneHoverEvent* event) override;
    void hoverLeaveEvent(QGraphicsSceneHoverEvent* event) override;
    void mousePressEvent(QGraphicsSceneMouseEvent* event) override;

  private:
    [[nodiscard]] double valueAt(const QPointF& at) const;
    void paintBars(QPainter& painter, const Layer& layer) const;
    void paintLine(QPainter& painter, const Layer& layer) const;

    QChart& chart_;
    QAbstractSeries& on_;
    std::vector<Layer> layers_;
};

}  // namespace rankscope::ui
