// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QGraphicsItem>
#include <QString>
#include <vector>

#include "ui/theme/theme.h"

class QAbstractSeries;
class QChart;
class QLogValueAxis;

namespace rankscope::ui {

/// A logarithmic axis of whole powers of ten around `least` and `most`, both above 0: at least two of them. `format`
/// names each, like "%g".
[[nodiscard]] QLogValueAxis* makeLogAxis(double least, double most, const QString& format, const Theme& theme);

/// Names the powers of ten of a logarithmic axis across as bytes, each in a unit of its own: "100 B", "1 kB". Qt's
/// labels, in whose place these stand, have one unit for all. It belongs to the chart.
class ByteLabels : public QGraphicsItem {
  public:
    /// `of` is a series on the axis, whose values are in units of `unit_bytes`.
    ByteLabels(QChart& chart, QAbstractSeries& of, QLogValueAxis& axis, double unit_bytes, const Theme& theme);

    [[nodiscard]] QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;
    /// The labels that have room now, as they stand from the left.
    [[nodiscard]] std::vector<QString> shown() const;

  private:
    struct Placed {
        double middle = 0;
        QString words;
    };
    [[nodiscard]] std::vector<Placed> placed() const;

    QChart& chart_;
    QAbstractSeries& of_;
    QLogValueAxis& axis_;
    double unit_bytes_;
    QFont font_;
    QColor color_;
};

}  // namespace rankscope::ui
